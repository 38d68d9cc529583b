/** Follows docs/figures.md as a reader would: its own two files and its command, from the files to a planning sheet. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { movedByMs } from "../helpers/moved-date";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { problemsInBothThemes } from "./support";
import { openAnotherTab, openWorkbook } from "./workbook-page";

const page = readFileSync(join(__dirname, "..", "..", "docs", "figures.md"), "utf8");
const [stock = "", events = "", command = ""] = [...page.matchAll(/```(csv|sh)\n(.*?)```/gs)].map(
  ([, , text = ""]) => text,
);
const dayMs = 86_400_000;
/** The page's two days, as the tests' today and the day before. */
const recent = (text: string): string => {
  const day = (back: number) => new Date(Date.now() + movedByMs() - back * dayMs).toISOString().slice(0, 10);
  return text.replaceAll("2026-11-20", day(0)).replaceAll("2026-11-19", day(1));
};

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "inv-figures-"));
  writeFileSync(join(folder, "stock.csv"), recent(stock));
  writeFileSync(join(folder, "events.csv"), recent(events));
  const [, words = ""] = command.trim().split(" -- ");
  const args = words.split(" ").map((word) => (word.endsWith(".csv") ? join(folder, word) : word));
  server = await startServer("server", { arguments: args });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test("from the two files to a planning sheet, without typing credentials, also when it is opened again", async () => {
  const workbook = await openWorkbook(`${server.origin}/`);
  await workbook.select("Planning", 0, 0);
  await workbook.until(async () => (await workbook.values("Planning", 1, 2, 1, 1))[0]?.[0] === 17);
  const header = workbook.pane().locator(".header");
  expect(await header.innerText()).toMatch(/File[^]*stock\.csv: figures from a file/);
  const formulas = [
    "=INV.QTY(1234, 12345678905)",
    '=INV.EVENTQTY(1234, 12345678905, "SALES")',
    "=INV.QTY(2345, 12345678905)",
    "=INV.QTY(2345, 12345678912)",
  ];
  const isRight = async () => {
    const [row = []] = await workbook.values("Try here", 12, 0, 1, 4);
    return JSON.stringify(row.slice(0, 3)) === "[17,3,4.5]" && String(row[3]).startsWith("#N/A");
  };
  await workbook.write(["Try here", 12, 0], [formulas]);
  await workbook.until(isRight);
  expect(await problemsInBothThemes(workbook.page)).toEqual([]);
  const again = await openAnotherTab(workbook);
  await again.until(async () => (await again.values("Try here", 12, 0, 1, 1))[0]?.[0] === 17);
  await again.write(["Try here", 13, 0], [["=INV.QTY(2345, 12345678905)"]]);
  await again.until(async () => (await again.values("Try here", 13, 0, 1, 1))[0]?.[0] === 4.5);
  expect(workbook.complaints).toEqual([]);
});
