/** Counting the cells that still show values from before a change of environment or credentials. */
import { createOldConnectionCells } from "../../src/connection/old-connection-cells";
import { createCellRegister } from "../../src/cells/cell-register";
import type { FormulaCell, Workbook } from "../../src/workbook/port";
import { createVirtualClock } from "../helpers/virtual-clock";

const sheet = "My sheet";
const formula = '=INV.QTY(1234,"00012345678905")';

function setUp(formulas: FormulaCell[]) {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const marked: number[] = [];
  const hidden: boolean[] = [];
  const workbook = {
    names: async () => [{ name: "Stock", sheet: null, formula: "=LAMBDA(s,i,INV.QTY(s,i))" }],
    findFormulas: async (matches: (text: string) => boolean) => {
      await new Promise(setImmediate);
      return formulas.filter((cell) => matches(cell.formula));
    },
    recalculate: async (found: readonly unknown[], options?: { readonly hidesValues: boolean }) => {
      marked.push(found.length);
      hidden.push(options?.hidesValues === true);
    },
  } as unknown as Workbook;
  const calculate = (address: string, environmentId: string, fetchedAtMs = clock.now()): void => {
    const call = cells.begin(address, environmentId);
    call.requests({ storeNumber: 1234, itemType: "gtin", value: "00012345678905" });
    call.answered(fetchedAtMs);
    call.settled();
  };
  const earlier = createOldConnectionCells({ cells, clock });
  const mark = () =>
    earlier.mark(workbook, { environmentId: "production", afterRecalculation: cells.lastRecalculation() });
  return { clock, cells, marked, hidden, calculate, mark, count: () => earlier.count.get() };
}

const rows = (count: number): FormulaCell[] =>
  Array.from({ length: count }, (_, row) => ({ sheet, row, col: 2, formula }));

describe("cells of an earlier connection", () => {
  it.each([0, 1, 99, 100, 101, 10_000])(
    "are counted down as %i cells calculate in the new environment",
    async (cells) => {
      const { clock, marked, calculate, mark, count } = setUp(rows(cells));
      for (let row = 1; row <= cells; row += 1) calculate(`'My sheet'!C${row}`, "sandbox");
      await clock.advance(1000);
      await mark();
      expect(marked).toEqual([cells]);
      expect(count()).toBe(cells);
      for (let row = 1; row <= cells; row += 1) calculate(`'My sheet'!C${row}`, "production");
      await clock.advance(1000);
      expect(count()).toBe(0);
    },
  );

  it("are counted at once, and hide their values as they are marked", async () => {
    const { calculate, mark, count, hidden } = setUp(rows(2));
    calculate("'My sheet'!C1", "sandbox");
    calculate("'My sheet'!C2", "sandbox");
    const marking = mark();
    expect(count()).toBe(2);
    await marking;
    expect(hidden).toEqual([true]);
  });

  it("are marked once if another change comes during the search", async () => {
    const { marked, mark } = setUp(rows(3));
    await Promise.all([mark(), mark()]);
    expect(marked).toEqual([3]);
  });

  it("are counted if they call INV through a name", async () => {
    const { marked, mark, count } = setUp([{ sheet, row: 0, col: 2, formula: "=Stock(A1,B1)" }]);
    await mark();
    expect([marked, count()]).toEqual([[1], 1]);
  });

  it("exclude cells whose answer a colleague had fetched before this page connected", async () => {
    const { clock, calculate, mark, count } = setUp(rows(2));
    const minuteAgoMs = clock.now() - 60_000;
    await mark();
    expect(count()).toBe(2);
    calculate("'My sheet'!C1", "production", minuteAgoMs);
    calculate("'My sheet'!C2", "production", minuteAgoMs);
    await clock.advance(1000);
    expect(count()).toBe(0);
  });

  it("are recognized by their calculation if only the credentials changed", async () => {
    const { clock, calculate, mark, count } = setUp(rows(2));
    calculate("'My sheet'!C1", "production");
    calculate("'My sheet'!C2", "production");
    await clock.advance(1000);
    await mark();
    expect(count()).toBe(2);
    calculate("'My sheet'!C1", "production");
    await clock.advance(1000);
    expect(count()).toBe(1);
  });

  it("don't count while they wait", async () => {
    const { clock, cells, calculate, mark, count } = setUp(rows(1));
    calculate("'My sheet'!C1", "sandbox");
    await mark();
    cells
      .begin("'My sheet'!C1", "production")
      .requests({ storeNumber: 1234, itemType: "gtin", value: "00012345678905" });
    await clock.advance(1000);
    expect(count()).toBe(0);
  });

  it("aren't counted forever if a formula requests nothing, in a blank row", async () => {
    const { clock, mark, count } = setUp(rows(3));
    await mark();
    expect(count()).toBe(3);
    await clock.advance(11_000);
    expect(count()).toBe(0);
  });

  it("exclude formulas that show nothing of the service, but recalculate them too", async () => {
    const others = ["=INV.ENV()", "=INV.EVENTTYPES()", "=SUM(A1:A9)"].map((text, row) => ({
      sheet,
      row,
      col: 9,
      formula: text,
    }));
    const { marked, mark, count } = setUp([...rows(1), ...others]);
    await mark();
    expect(count()).toBe(1);
    expect(marked).toEqual([3]);
  });
});
