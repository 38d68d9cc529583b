/** The import in its own process: what it prints, and what remains if it is killed midway. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createImportBed, type ImportBed } from "../../helpers/imported";

const program = join(__dirname, "..", "..", "..", "dist", "import.js");

let bed: ImportBed;
beforeEach(() => (bed = createImportBed()));
afterEach(() => bed.end());

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** @param endAt a signal that is sent when the process has printed its progress */
function runProgram(args: readonly string[], endAt?: NodeJS.Signals): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
    if (endAt !== undefined && err.includes("% read")) child.kill(endAt);
  });
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, out, err })));
}

const heading = "store,gtin,quantity,last_updated\n";
const rows = (count: number) =>
  Array.from({ length: count }, (_each, index) => {
    return `${1000 + (index % 500)},${10_000_000_000 + Math.floor(index / 500)},${index % 90},2026-11-20`;
  }).join("\n");
const flags = () => [
  "--into",
  bed.path("stock.db"),
  "--inventory",
  bed.path("inventory.csv"),
  "--supplier",
  "ACME",
];
const folder = () => readdirSync(dirname(bed.path("x"))).sort();

it("prints the credentials once and progress lines to a pipe, and leaves no other file", async () => {
  bed.write("inventory.csv", heading + rows(20_000));
  const first = await runProgram(flags());
  expect(first.code).toBe(0);
  expect(first.err).toMatch(/^\d+ % read, \d+ rows\n/);
  expect(first.out).toMatch(/20000 counts and 0 events of 500 stores\./);
  expect(first.out).toMatch(/Client secret {2}[\w-]{43} {3}\(shown this once/);
  const second = await runProgram(flags());
  expect(second.out).toMatch(/Client secret {2}the one that was shown/);
  expect(folder()).toEqual(["inventory.csv", "stock.db"]);
});

it("exits with 1 for bad rows, with their lines, and for a wrong flag", async () => {
  bed.write("inventory.csv", `${heading}1234,12345678905,1,2026-11-20\nhere,12345678905,1,2026-11-20\n`);
  const bad = await runProgram(flags());
  expect([bad.code, bad.out]).toEqual([1, ""]);
  expect(bad.err).toMatch(/1 row can't be imported:\n {2}inventory, line 3: store: expected/);
  expect(bad.err).toContain("Nothing was imported");
  const wrong = await runProgram([...flags(), "--dates", "us"]);
  expect(wrong.code).toBe(1);
  expect(wrong.err).toMatch(/^--dates must be "iso" or "dmy" or "mdy" or "excel"\./);
  const map = await runProgram([...flags(), "--map", "upc=GTIN"]);
  expect(map.err).toMatch(/^--map has no column "upc"; there are store, gtin,/);
});

it.each(["SIGKILL", "SIGINT"] as const)(
  "killed by %s in the middle, it leaves the old file byte for byte",
  async (signal) => {
    bed.write("inventory.csv", `${heading}1234,12345678905,1,2026-11-20\n`);
    await bed.run();
    const before = readFileSync(bed.path("stock.db"));
    bed.write("inventory.csv", heading + rows(150_000));
    const ended = await runProgram(flags(), signal);
    if (signal === "SIGKILL") expect(ended.signal).toBe("SIGKILL");
    else expect(ended.err).toContain("The import was cancelled. Nothing was imported.");
    expect(readFileSync(bed.path("stock.db")).equals(before)).toBe(true);
    // A later import removes the files of the killed one.
    bed.write("inventory.csv", `${heading}1234,12345678905,2,2026-11-20\n`);
    await bed.run();
    expect(folder()).toEqual(["inventory.csv", "stock.db"]);
  },
);
