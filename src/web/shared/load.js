// Loading the engine. Its parts come in pieces from the last scripts of the page, or from a file next to it.
// A page defines `begin`, called when the rules are known, and `showFailure`.

// The script of the package, and its files in base64.
const engineParts = { module: "", wasm: "", network: "" };

const addPart = (name, piece) => { engineParts[name] += piece; };

// Starts the session, once.
let startEngine = null;

// The bytes of a part, which is then no longer needed.
function takeBytes(name) {
  const binary = atob(engineParts[name]), bytes = new Uint8Array(binary.length);
  engineParts[name] = "";
  for (let n = 0; n < bytes.length; n++) bytes[n] = binary.charCodeAt(n);
  return bytes;
}

function fail(error) {
  engine.error = error.message;
  showFailure();
}

// Called when all parts are there.
async function provideEngine() {
  try {
    // The module starts workers from its own address. A page from a file may not start a worker with a
    // module from a blob, but from a data URL.
    const kankei = await import(`data:text/javascript,${encodeURIComponent(engineParts.module)}`);
    const wasm = takeBytes("wasm");
    rules = await kankei.loadRules({ wasm });
    startEngine = () => {
      const network = takeBytes("network");
      startEngine = () => {};
      startSession(options => kankei.startEngine({ wasm, network, ...options })).then(update, fail);
    };
    begin();
  } catch (error) {
    fail(error);
  }
}
