/**
 * The parts of the bench that need a browser, each a section of results.md: the pane's first frame, the calls under
 * Microsoft's runtime, and the browser workbook.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, root } from "../../src/start/prepare.mjs";
import { leastOf, runNode } from "./measuring.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const longestPaneMs = 120_000;
const longestBrowserMs = 600_000;

/** By the name under which a part is run alone: its title, and what measures it. */
export const browserParts = {
  pane: { title: "## The pane", measure: measurePane },
  excel: { title: "## Under Microsoft's runtime", measure: measureExcel },
  workbook: { title: "## The browser workbook", measure: measureWorkbook },
};

async function measurePane() {
  const { output, exitCode } = await runNode([join(here, "pane.mjs")], { longestMs: longestPaneMs });
  const text = output.trim() === "" ? "Not finished." : `\`\`\`text\n${output.trim()}\n\`\`\``;
  return { text, isHonoured: exitCode === 0 };
}

/** 40,000 calls through the built add-in, under the runtime that Excel itself uses, and that runtime's own part. */
async function measureExcel() {
  const rows = leastByTitle(await findingsOf("excel-calls"));
  const floor = rows.find(({ isFloor }) => isFloor);
  const kilobytes = (bytes) => Math.round(bytes / 1024).toLocaleString("en-US");
  const lines = rows.map(
    ({ title, calls, tookMs, longestBlockMs, payloadBytes, largestMessageBytes }) =>
      `| ${calls.toLocaleString("en-US")} calls, ${title} | ${seconds(tookMs)} | ${seconds(longestBlockMs)} | ${(longestBlockMs / floor?.longestBlockMs).toFixed(2)} | ${kilobytes(payloadBytes)} | ${kilobytes(largestMessageBytes)} |`,
  );
  const table = [
    "| sheet | s until the last result | s of the longest block of the thread | of the runtime's own | KB of results in all | KB of the largest message |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...lines,
  ];
  return { text: rows.length === 0 ? "Not finished." : table.join("\n"), isHonoured: true };
}

/** 10,000 cells of the browser workbook, beside the grid's own time for plain formulas. */
async function measureWorkbook() {
  const rows = await findingsOf("workbook");
  const middle = (title) => {
    const sorted = rows.filter((row) => row.title === title).sort((a, b) => a.tookMs - b.tookMs);
    return sorted[Math.floor(sorted.length / 2)];
  };
  const lines = [
    ["plain", "`=A1+B1+$D$1`, the grid's own, calculated anew"],
    ["atOnce", "`=INV.QTY(A1,B1)`, answered at once, every number another"],
    ["qty", "`=INV.QTY(A1,B1)`, recalculated within its freshness"],
    ["refresh", "the same, a click on Refresh: over the relay and the embedded service"],
    ["plain filled", "the grid's own, filled down from one, and saved"],
    ["qty filled", "`=INV.QTY(A1,B1)`, filled down from one, and saved", "plain filled"],
    ["plain pasted", "a store, an item and the grid's own, pasted as 10,000 rows, and saved"],
    ["qty pasted", "the same with `=INV.QTY(A1,B1)`", "plain pasted"],
    ["plain opened", "the grid's own, a saved workbook opened"],
    ["qty opened", "`=INV.QTY(A1,B1)`, a saved workbook opened", "plain opened"],
  ].map(([title, words, beside = "plain"]) => {
    const { tookMs, longestBlockMs } = middle(title) ?? {};
    const ratio = title.includes("plain") ? 1 : tookMs / middle(beside)?.tookMs;
    return `| ${words} | ${seconds(tookMs)} | ${ratio.toFixed(2)} | ${seconds(longestBlockMs)} |`;
  });
  const table = [
    "| 10,000 formulas | s until the last value | of the grid's own | s of the longest block of the thread |",
    "| --- | ---: | ---: | ---: |",
    ...lines,
  ];
  const blocks = [
    ["many plain written", "40,000 of the grid's own, `=A1*2`, written and saved"],
    ["many qty written", "40,000 `=INV.QTY(A1,B1)`, written and saved", "many plain written"],
    ["many plain opened", "40,000 of the grid's own, a saved workbook opened"],
    ["many qty opened", "40,000 `=INV.QTY(A1,B1)`, a saved workbook opened", "many plain opened"],
    ["rows plain", "7,200 of the grid's own, written as 1,200 rows"],
    ["rows planning", "a planning template of 1,200 rows, built from the pane", "rows plain"],
  ].map(([title, words, beside = title]) => {
    const { tookMs, longestBlockMs } = middle(title) ?? {};
    const ratio = longestBlockMs / middle(beside)?.longestBlockMs;
    return `| ${words} | ${seconds(tookMs)} | ${seconds(longestBlockMs)} | ${ratio.toFixed(2)} |`;
  });
  const blockTable = [
    "| many formulas | s until the last value | s of the longest block of the thread | of the grid's own |",
    "| --- | ---: | ---: | ---: |",
    ...blocks,
  ];
  const text = [...table, "", ...blockTable].join("\n");
  return { text: rows.length === 0 ? "Not finished." : text, isHonoured: true };
}

/** What a bench over the built add-in found, in a browser; empty where it did not end. */
async function findingsOf(name) {
  build();
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const file = join(folder, "findings.json");
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const which = ["--selectProjects", "bench", "--testPathPatterns", `${name}.bench`];
  await runNode([jest, "--rootDir", root, ...which, "--silent"], {
    longestMs: longestBrowserMs,
    variables: { INV_BENCH_OUT: file },
  });
  const rows = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

/** Of several rounds of each, the least of every figure. */
function leastByTitle(rows) {
  const byTitle = new Map();
  for (const row of rows) byTitle.set(row.title, leastOf(byTitle.get(row.title), row));
  return [...byTitle.values()];
}

function seconds(ms) {
  return (ms / 1000).toFixed(2);
}
