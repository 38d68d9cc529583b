/**
 * Records a page as a GIF. The script decides how long each frame is shown, so the picture doesn't depend on this machine's speed.
 * Each frame stores only the pixels that differ from the one before, because a recorded page changes little.
 */
import { writeFileSync } from "node:fs";
import { applyPalette, GIFEncoder, quantize } from "gifenc";
import type { Page } from "playwright-core";

export interface MovingPicture {
  /** Adds what the page shows now, for this long. */
  show(holdMs: number): Promise<void>;
  /** Writes the file and returns its size in bytes and its duration. */
  save(path: string): { readonly bytes: number; readonly durationMs: number };
}

interface Shot {
  readonly rgba: Uint8Array;
  readonly holdMs: number;
}

/** GIF allows 256 colours; one of them marks pixels that stay. */
const colours = 255;
const unchanged = colours;

export async function recordMovingPicture(page: Page): Promise<MovingPicture> {
  const reader = await page.context().newPage();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const shots: Shot[] = [];
  return {
    async show(holdMs) {
      const png = (await page.screenshot()).toString("base64");
      shots.push({ rgba: Buffer.from(await reader.evaluate(pixelsOf, png), "base64"), holdMs });
    },
    save(path) {
      const palette = quantize(together(shots), colours);
      const gif = GIFEncoder();
      let before: Uint8Array | null = null;
      for (const { rgba, holdMs } of shots) {
        const index = applyPalette(rgba, palette);
        if (before !== null) keepEqualPixels(index, rgba, before);
        gif.writeFrame(index, width, height, {
          delay: holdMs,
          ...(before === null ? { palette: [...palette, [0, 0, 0]] } : {}),
          transparent: before !== null,
          transparentIndex: unchanged,
          dispose: 1,
        });
        before = rgba;
      }
      gif.finish();
      const bytes = gif.bytes();
      writeFileSync(path, bytes);
      return { bytes: bytes.length, durationMs: shots.reduce((sum, { holdMs }) => sum + holdMs, 0) };
    },
  };
}

/** Samples of all frames, so that one palette fits the whole picture and no colour flickers. */
function together(shots: readonly Shot[]): Uint8Array {
  const every = Math.ceil(shots.length / 8);
  return Buffer.concat(shots.filter((_, at) => at % every === 0).map(({ rgba }) => rgba));
}

function keepEqualPixels(index: Uint8Array, now: Uint8Array, before: Uint8Array): void {
  for (let pixel = 0; pixel < index.length; pixel += 1) {
    const at = pixel * 4;
    if (now[at] === before[at] && now[at + 1] === before[at + 1] && now[at + 2] === before[at + 2]) {
      index[pixel] = unchanged;
    }
  }
}

/** Decodes a PNG to RGBA. Runs in a page, so it can't use anything outside the function. */
async function pixelsOf(png: string): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d")!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let text = "";
  for (let from = 0; from < data.length; from += 30_000) {
    text += String.fromCharCode(...data.subarray(from, from + 30_000));
  }
  return btoa(text);
}
