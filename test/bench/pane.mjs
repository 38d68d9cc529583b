/**
 * First render of the pane's refresh tab in Chromium, beside a React and Fluent 9 page of the same controls:
 * both built and minified alike, served alike, in a fresh browser context, in turns. The peer's packages are
 * installed into a cache from their own lock; without a network the comparison is left out, and it says so.
 */
/* global window -- inside functions that run in the page */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { transformFileSync } from "@swc/core";
import MiniCssExtractPlugin from "mini-css-extract-plugin";
import { chromium } from "playwright-core";
import TerserPlugin from "terser-webpack-plugin";
import webpack from "webpack";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const cache = join(root, "node_modules", ".cache", "inv-pane-bench");
const peerFolder = join(cache, "packages");
const built = join(cache, "built");
const runs = 15;

const peer = installPeer();
await build("ours", join(here, "pane-ours.tsx"));
if (peer !== null) await build("peer", peer);
buildBlank();
print(await measure(["ours", ...(peer === null ? [] : ["peer"]), "blank"]));

/** The peer's entry, next to its own packages; null where they cannot be had. */
function installPeer() {
  mkdirSync(peerFolder, { recursive: true });
  for (const name of readdirSync(join(here, "pane-peer"))) {
    copyFileSync(join(here, "pane-peer", name), join(peerFolder, name));
  }
  if (!existsSync(join(peerFolder, "node_modules", ".package-lock.json"))) {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const parameters = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
    const { status } = spawnSync(npm, parameters, {
      cwd: peerFolder,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    if (status !== 0) return null;
  }
  return join(peerFolder, "page.mjs");
}

async function build(name, entry) {
  const output = join(built, name);
  const config = {
    mode: "production",
    context: root,
    entry: { page: entry },
    output: { path: output, filename: "[name].js", clean: true },
    resolve: { extensions: [".tsx", ".ts", ".mjs", ".js"] },
    module: {
      rules: [
        { test: /\.tsx?$/, loader: "ts-loader", options: { transpileOnly: true } },
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, "css-loader"] },
        { test: /tokens\.css$/, loader: join(root, "src", "build", "tokens-loader.cjs") },
      ],
    },
    plugins: [new MiniCssExtractPlugin({ filename: "page.css" })],
    optimization: {
      minimizer: [new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false })],
    },
    performance: { hints: false },
  };
  const stats = await new Promise((resolve, reject) => {
    webpack(config, (error, result) => (error ? reject(error) : resolve(result)));
  });
  if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
  const style = existsSync(join(output, "page.css")) ? '<link rel="stylesheet" href="page.css">' : "";
  writeFileSync(
    join(output, "index.html"),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>${style}<body><div id="root"></div><script src="page.js"></script></body></html>`,
  );
}

/** A page that draws nothing: what the browser itself takes. */
function buildBlank() {
  const output = join(built, "blank");
  mkdirSync(output, { recursive: true });
  const script = readFileSync(join(here, "pane-peer", "rendered.mjs"), "utf8").replace("export ", "");
  writeFileSync(join(output, "page.js"), `${script}\nreportRendered([]);`);
  writeFileSync(
    join(output, "index.html"),
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>blank</title><body><script src="page.js"></script></body></html>',
  );
}

async function measure(names) {
  const scripts = new Map(names.map((name) => [name, new Set()]));
  const server = createServer((request, response) => {
    const file = join(built, new URL(request.url ?? "/", "http://bench").pathname);
    const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
    if (!existsSync(file)) return response.writeHead(404).end();
    if (file.endsWith(".js")) scripts.get(basename(dirname(file))).add(file);
    return response
      .writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" })
      .end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { path, variables } = findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, ...variables },
  });
  const times = new Map(names.map((name) => [name, []]));
  // One round more than is counted: the first warms the browser and the server.
  for (let round = 0; round <= runs; round += 1) {
    for (const name of names) {
      const context = await browser.newContext({ viewport: { width: 350, height: 640 } });
      const page = await context.newPage();
      let broken = null;
      page.on("pageerror", (error) => (broken ??= error));
      await page.goto(`http://127.0.0.1:${server.address().port}/${name}/index.html`);
      let rendered;
      // Asked seldom: asking takes time from the page.
      while (rendered === undefined && broken === null) {
        await sleep(200);
        rendered = await page.evaluate(() => window.rendered);
      }
      // A page that failed never says that it stands.
      if (broken !== null) throw new Error(`The page "${name}" failed.`, { cause: broken });
      if (round > 0) times.get(name).push(rendered);
      await context.close();
    }
  }
  await browser.close();
  server.close();
  return new Map(
    [...times].map(([name, all]) => [name, { ...summary(all), gzipKb: gzipKbOf(scripts.get(name)) }]),
  );
}

/** Of all scripts that a page asked for until its controls were at work. */
function gzipKbOf(files) {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length / 1024, 0);
}

/** Other work on the machine only ever adds time, so the least is the page's own; the median shows how much. */
function summary(all) {
  const sorted = (pick) => all.map(pick).sort((a, b) => a - b);
  const frames = sorted(({ firstFrameMs }) => firstFrameMs);
  const [readyMs] = sorted(({ readyMs }) => readyMs);
  return { leastMs: frames[0], medianMs: frames[Math.floor(frames.length / 2)], readyMs };
}

/** The browser that the tests use; their helper is TypeScript. */
function findBrowser() {
  const file = join(
    root,
    "node_modules",
    ".cache",
    "inv-pane-bench",
    "test",
    "helpers",
    "browser-binary.cjs",
  );
  mkdirSync(dirname(file), { recursive: true });
  const { code } = transformFileSync(join(root, "test", "helpers", "browser-binary.ts"), {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  });
  writeFileSync(file, code);
  return createRequire(import.meta.url)(file).findBrowser();
}

function print(times) {
  const titles = {
    ours: "INV: Preact + Fluent web components",
    peer: "React 19 + Fluent 9",
    blank: "a blank page",
  };
  console.log(`\nFirst frame of the pane's refresh tab in Chromium, of ${runs} in turns`);
  console.log("At work: the frame after which every control answers to mouse and keyboard\n");
  for (const [name, { leastMs, medianMs, readyMs, gzipKb }] of times) {
    const size = `${gzipKb.toFixed(0).padStart(4)} KB gzip`;
    const ms = (time) => `${time.toFixed(0).padStart(4)} ms`;
    console.log(
      `  ${titles[name].padEnd(35)}  ${size}  least ${ms(leastMs)}  median ${ms(medianMs)}  at work, least ${ms(readyMs)}`,
    );
  }
  if (!times.has("peer")) {
    console.log("  The peer's packages could not be installed (no network?): no comparison in this run.");
    return;
  }
  const [ours, peer, nothing] = ["ours", "peer", "blank"].map((name) => times.get(name));
  const ratio = ours.leastMs / peer.leastMs;
  const beyondBlank = (ours.leastMs - nothing.leastMs) / (peer.leastMs - nothing.leastMs);
  console.log(`\n  ${ratio.toFixed(2)} x the peer's first frame (at most 0.5 is promised)`);
  console.log(`  ${beyondBlank.toFixed(2)} x beyond what the blank page takes`);
  console.log(
    `  ${(ours.readyMs / peer.readyMs).toFixed(2)} x the peer's time until all controls are at work`,
  );
  if (ratio > 0.5) process.exitCode = 1;
}
