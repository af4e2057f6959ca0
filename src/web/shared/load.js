// Loading the engine. Its parts come from the last script of the page, which may be a file next to it. A
// page defines `begin`, called when the rules are known, and `showFailure`.

// Starts the session, once.
let startEngine = null;

// The bytes of a part in base64.
function decode(part) {
  const binary = atob(part), bytes = new Uint8Array(binary.length);
  for (let n = 0; n < bytes.length; n++) bytes[n] = binary.charCodeAt(n);
  return bytes;
}

function fail(error) {
  engine.error = error.message;
  showFailure();
}

// `module`: the script of the package. `wasm`, `network`: its files in base64.
async function provideEngine({ module, ...parts }) {
  try {
    // The module starts workers from its own address. A page from a file may not start a worker with a
    // module from a blob, but from a data URL.
    const kankei = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const wasm = decode(parts.wasm);
    rules = await kankei.loadRules({ wasm });
    startEngine = () => {
      const network = decode(parts.network);
      startEngine = () => {};
      parts = null;
      startSession(options => kankei.startEngine({ wasm, network, ...options })).then(update, fail);
    };
    begin();
  } catch (error) {
    fail(error);
  }
}
