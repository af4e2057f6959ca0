// Pictures of the page: `node tests/browser/pictures.js FOLDER`.
import { join } from "node:path";
import { clean, click, launch, newGame, open, play, waitFor } from "./support.js";

const MOVES = `7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 5i5h 5a5b
  3g3f 7a7b 2i3g 8f7f 8h7g`.split(/\s+/);
const folder = process.argv[2];
const browser = await launch();
for (const [width, height] of [[1280, 800], [390, 844]]) {
  for (const language of ["ja", "en"]) {
    const { page, faults, close } = await open({ width, height, language });
    const shoot = name => page.screenshot({ path: join(folder, `${name}-${width}-${language}.png`), fullPage: width < 800 });
    await newGame(page, { side: "both", kind: "byoyomi", main: 10, byoyomi: 30 });
    for (const move of MOVES) await play(page, move);
    await page.click("#hint");
    await waitFor(page, "hint?.move");
    await click(page, "3c");
    await shoot("play");
    await page.click("#new");
    await shoot("new");
    await page.click("#cancel-new");
    await page.click("[data-mode=analyze]");
    await page.click("#analyze");
    await waitFor(page, "foundLines().length === 3 && foundLines()[0].depth >= 8");
    await page.waitForTimeout(500);
    await shoot("analyze");
    await page.click("#open-record");
    await shoot("record");
    await page.click("#record [data-text=close]");
    await page.click("[data-mode=tsume]");
    await page.click("#examples button:nth-child(3)");
    await page.click("#solve");
    await waitFor(page, "proofs.get(positionKey())");
    await shoot("tsume");
    clean(faults);
    await close();
  }
}
await browser.close();
