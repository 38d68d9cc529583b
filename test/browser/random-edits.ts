/**
 * Edits a browser workbook at random, as a person does: cells, pastes, selected rows and columns, inserted and deleted ones, undo, and
 * reloads while the service is away. After each round, it compares the workbook with what it must be:
 * - An undo brings back the cells of before, and a reload shows what was shown and requests nothing.
 * - Each sum is the sum of the cells that its formula names.
 * - The selection is within the sheet, and is spoken.
 */
import type { CellValue } from "../../src/workbook/port";
import { isSaved } from "./saved-workbook";
import { scratch, type WorkbookPage } from "./workbook-page";

const [rows, cols] = [12, 7];
const gtins = ["00012345678905", "00012345678912", "00012345678929"];
/** The formulas fill cells, and sums refer to those. */
const contents: readonly CellValue[] = [
  ...[null, 5, -2.5, "00012345678905", "text"],
  ...["=SEQUENCE(2,2)", "=SUM(A1:B2)", "=SUM(B2:D4)", "=A1", `=INV.QTY(1234,"${gtins[0]}")`],
  `=INV.QTY(1234,{"${gtins[0]}";"${gtins[1]}"})`,
];

export interface RandomEdits {
  readonly rounds: number;
  readonly seed: number;
  /** Runs before each reload. */
  beforeReload?(): Promise<void>;
}

/** Rejects with the seed and the round if the workbook isn't as it must be. */
export async function editAtRandom(
  workbook: WorkbookPage,
  { rounds, seed, beforeReload }: RandomEdits,
): Promise<void> {
  const { page } = workbook;
  const random = randomFrom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const oneOf = <T>(all: readonly T[]): T => all[upTo(all.length)]!;
  const requests: string[] = [];
  let pastes = 1_000;
  page.on("request", (request) => {
    if (/\/(search-items|events)/.test(request.url())) requests.push(request.url());
  });
  const grid = (await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox())!;
  const heading = {
    row: () => [grid.x + 20, grid.y + 32 + 24 * upTo(4)] as const,
    column: () => [grid.x + 46 + 88 * upTo(3) + 44, grid.y + 8] as const,
  };
  const shown = () =>
    workbook.port(
      async (port, area) => ({
        formulas: await port.read(area, "formulas"),
        texts: await port.read(area, "text"),
        values: await port.read(area, "values"),
      }),
      { sheet: scratch, row: 0, col: 0, rows: rows + 10, cols: 26 },
    );
  type Shown = Awaited<ReturnType<typeof shown>>;

  async function insert(kind: "row" | "column"): Promise<void> {
    await page.mouse.click(...heading[kind](), { button: "right" });
    const title = kind === "row" ? "Insert rows above" : "Insert columns left";
    await page.getByRole("button", { name: title }).click();
  }

  async function reload(before: Shown): Promise<void> {
    const mark = `reload ${seed} ${random()}`;
    await workbook.write([scratch, 40, 0], [[mark]]);
    await workbook.settled();
    await workbook.until(isSaved(page, mark));
    await beforeReload?.();
    await page.route(/\/(search-items|events)/, (route) => route.abort());
    requests.splice(0);
    await page.reload();
    await workbook.settled();
    expect({ ...(await shown()), requests: [...requests] }).toEqual({ ...before, requests: [] });
    await page.unrouteAll({ behavior: "wait" });
  }

  const edits = {
    write: () => workbook.write([scratch, upTo(rows), upTo(cols)], [[oneOf(contents)]]),
    clear: () => workbook.write([scratch, upTo(rows), upTo(cols)], [Array<CellValue>(2).fill(null)]),
    async paste() {
      await workbook.select(scratch, upTo(rows), upTo(cols));
      const before = JSON.stringify(await shown());
      await workbook.paste({ text: `${(pastes += 1)}\t=A1\n00${upTo(100)}\tx` });
      await workbook.until(async () => JSON.stringify(await shown()) !== before);
    },
    insertRow: () => insert("row"),
    insertColumn: () => insert("column"),
  };

  async function round(): Promise<string> {
    const before = await shown();
    const kind = oneOf([...Object.keys(edits), "write", "write", "select", "select", "reload"]);
    if (kind === "reload") await reload(before);
    else if (kind === "select") await page.mouse.click(...heading[oneOf(["row", "column"] as const)]());
    else {
      await edits[kind as keyof typeof edits]();
      await workbook.settled();
      if (random() < 0.5) await page.mouse.click(...heading[oneOf(["row", "column"] as const)]());
      const after = JSON.stringify((await shown()).formulas);
      if (random() < 0.6 && after !== JSON.stringify(before.formulas)) {
        await workbook.undo();
        await workbook.until(async () => JSON.stringify((await shown()).formulas) !== after);
        await workbook.settled();
        expect(await shown()).toEqual(before);
        return `${kind}, undone`;
      }
    }
    return kind;
  }

  for (let number = 1; number <= rounds; number += 1) {
    let kind = "";
    try {
      kind = await round();
      await workbook.settled();
      checkSums(await shown());
      const [selected] = await workbook.port(
        (port) =>
          new Promise<readonly { row: number; col: number; rows: number; cols: number }[]>(port.onSelection),
        null,
      );
      expect(selected!.row + selected!.rows).toBeLessThanOrEqual(1_100);
      await page.locator("#selection", { hasText: /^[A-Z]+\d+/ }).waitFor({ state: "attached" });
      const complaints = workbook.complaints.splice(0);
      expect(complaints.filter((each) => !each.includes("net::ERR_FAILED"))).toEqual([]);
    } catch (error) {
      throw new Error(`Seed ${seed}, round ${number} (${kind}): ${String(error)}`, { cause: error });
    }
  }
}

/** Adds up the cells that each sum names, from what the workbook shows. */
function checkSums({ formulas, values }: { formulas: CellValue[][]; values: CellValue[][] }): void {
  for (const [row, line] of formulas.entries()) {
    for (const [col, formula] of line.entries()) {
      const area = /^=SUM\(([A-Z])(\d+):([A-Z])(\d+)\)$/.exec(String(formula));
      const value = values[row]?.[col];
      if (area === null || typeof value !== "number") continue;
      const [, left = "", top = "", right = "", bottom = ""] = area;
      const colOf = (letter: string) => letter.charCodeAt(0) - 65;
      // Inserted rows push cells out of what is read.
      if (Number(bottom) > values.length) continue;
      const named = values
        .slice(Number(top) - 1, Number(bottom))
        .flatMap((cells) => cells.slice(colOf(left), colOf(right) + 1));
      const sum = named.reduce<number>((total, each) => total + (typeof each === "number" ? each : 0), 0);
      expect([row, col, formula, value]).toEqual([row, col, formula, sum]);
    }
  }
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
