/** The workbook port over Office.js: what reaches Excel, and what returns. */
import type { Area, CellValue, Workbook } from "../../../src/workbook/port";
import type { NodeExcel } from "../../excel/excel-in-node";
import { contents, enter, idOf } from "../../excel/sheet";
import { area, openWorkbook } from "./office-stage";

const entered = (excel: NodeExcel, at: Area) => contents(excel.sheet(at.sheet), at, "formulas");

describe("writing", () => {
  it("keeps text as text, and writes formulas and numbers unchanged", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const line: CellValue[] = [
      "00012345678905",
      1234,
      "=INV.QTY(B1,A1)",
      true,
      "Store",
      "TRUE",
      "1-2",
      "'x",
      null,
    ];
    await workbook.write(area("Plan", 0, 0, 1, 9), [line]);
    expect(entered(excel, area("Plan", 0, 0, 1, 9))).toEqual([[...line.slice(0, 8), ""]]);
    expect(await workbook.read(area("Plan", 0, 0, 1, 9), "values")).toEqual([
      ["00012345678905", 1234, 0, true, "Store", "TRUE", "1-2", "'x", null],
    ]);
  });

  it("adds an apostrophe only to text that Excel might read as something else", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const line = ["Order below", "Store", "False", "5 May", "00012345678905", "+1", "=INV.ENV()", ""];
    await workbook.write(area("Plan", 0, 0, 1, line.length), [line]);
    expect(excel.sheet("Plan").inputs).toEqual([
      "Order below",
      "Store",
      "'False",
      "'5 May",
      "'00012345678905",
      "'+1",
      "=INV.ENV()",
      "",
    ]);
  });

  it("of 100,000 rows is sent in parts that Excel on the web accepts", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const rows = Array.from({ length: 100_000 }, (_, row) => [
      row,
      `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`,
    ]);
    await workbook.write(area("Plan", 0, 0, rows.length, 2), rows);
    expect(entered(excel, area("Plan", 99_999, 0, 1, 2))).toEqual([rows[99_999]]);
    expect(excel.trips.length).toBeLessThanOrEqual(12);
  });

  it("to a protected sheet fails with an explanation", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.sheet("Plan").isProtected = true;
    await expect(workbook.write(area("Plan", 0, 0), [[1]])).rejects.toMatchObject({
      code: "internal",
      message: expect.stringContaining("Unprotect") as unknown,
    });
  });
});

describe("reading", () => {
  it.each([
    ["values", [["00012", 7, 0, null]]],
    ["formulas", [["00012", 7, "=INV.ENV()", null]]],
    ["text", [["00012", "7", "0", ""]]],
  ] as const)("%s", async (what, expected) => {
    const { excel, workbook } = openWorkbook("Plan");
    enter(excel.sheet("Plan"), 3, 1, "'00012");
    enter(excel.sheet("Plan"), 3, 2, 7);
    enter(excel.sheet("Plan"), 3, 3, "=INV.ENV()");
    expect(await workbook.read(area("Plan", 3, 1, 1, 4), what)).toEqual(expected);
    expect(excel.trips).toHaveLength(1);
  });

  it("long text is read whole, in as many parts as its length needs", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    for (let row = 0; row < 3000; row += 1) enter(excel.sheet("Plan"), row, 0, `${row} ${"x".repeat(4000)}`);
    const cells = await workbook.read(area("Plan", 0, 0, 3000, 1), "values");
    expect(cells.map(([cell]) => Number.parseInt(String(cell), 10))).toEqual(
      Array.from({ length: 3000 }, (_, i) => i),
    );
  });
});

describe("formats", () => {
  it("are Excel's, with widths in points", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    await workbook.format(area("Plan", 0, 1, 3, 2), {
      numberFormat: "#,##0",
      bold: true,
      fill: "#fff7d6",
      color: "#1f4fbf",
      align: "right",
      widthPx: 100,
    });
    const { formats } = excel.sheet("Plan");
    expect(Object.fromEntries(formats.map(({ property, value }) => [property, value]))).toEqual({
      numberFormat: "#,##0",
      bold: true,
      fill: "#fff7d6",
      color: "#1f4fbf",
      align: "Right",
      columnWidth: 75,
    });
    expect(formats[0]?.block).toEqual({ row: 0, col: 1, rows: 3, cols: 2 });
  });
});

describe("sheets", () => {
  it("are listed with the hidden ones", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Notes");
    excel.sheet("Notes").visibility = "Hidden";
    expect(await workbook.sheets()).toEqual([
      { id: idOf("Plan"), name: "Plan", visible: true, isProtected: false },
      { id: idOf("Notes"), name: "Notes", visible: false, isProtected: false },
    ]);
  });

  it("are added at the end, frozen, and numbered when the name is in use", async () => {
    const { excel, workbook } = openWorkbook("planning");
    const id = await workbook.addSheet("Planning", { frozenRows: 1 });
    expect(excel.sheets.map(({ name }) => name)).toEqual(["planning", "Planning 2"]);
    expect(excel.sheet("Planning 2").id).toBe(id);
    expect(excel.sheet("Planning 2").frozenRows).toBe(1);
  });
});

describe("a step", () => {
  it("sends all its writes and formats together, behind one pause of the screen", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    await workbook.step(async (inStep) => {
      const sheet = await inStep.addSheet("New");
      for (let row = 0; row < 50; row += 1) {
        await inStep.write(area(sheet, row, 0, 1, 2), [[row, "=INV.ENV()"]]);
        await inStep.format(area(sheet, row, 0), { bold: true });
      }
    });
    expect(entered(excel, area("New", 49, 0, 1, 2))).toEqual([[49, "=INV.ENV()"]]);
    expect(excel.trips).toHaveLength(4);
    expect(excel.trips.flat().filter((call) => call === "suspendScreenUpdatingUntilNextSync")).toHaveLength(
      1,
    );
  });

  it("reads what it has written", async () => {
    const { workbook } = openWorkbook("Plan");
    const cells = await workbook.step(async (inStep) => {
      await inStep.write(area("Plan", 0, 0), [[7]]);
      return inStep.read(area("Plan", 0, 0), "values");
    });
    expect(cells).toEqual([[7]]);
  });

  it("within a step belongs to it, and concurrent work isn't cut off", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    await Promise.all([
      workbook.step((outer) => outer.step((inner) => inner.write(area("Plan", 0, 0), [[1]]))),
      workbook.step(async (inStep) => {
        await pause();
        await inStep.write(area("Plan", 1, 0), [[2]]);
      }),
    ]);
    expect(entered(excel, area("Plan", 0, 0, 2, 1))).toEqual([[1], [2]]);
  });

  it("that fails keeps its finished part, says why, and leaves the workbook usable", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const failed = workbook.step(async (inStep) => {
      await inStep.write(area("Plan", 0, 0), [[1]]);
      await inStep.write(area("Gone", 0, 0), [[1]]);
    });
    await expect(failed).rejects.toMatchObject({
      message: expect.stringContaining("no longer there") as unknown,
    });
    await workbook.write(area("Plan", 1, 0), [[2]]);
    expect(entered(excel, area("Plan", 0, 0, 2, 1))).toEqual([[1], [2]]);
  });
});

describe("a step that is one undo", () => {
  const build = async (workbook: Workbook): Promise<string> => {
    const sheet = await workbook.addSheet("New");
    try {
      for (const row of [0, 1]) {
        await workbook.write(area(sheet, row, 0), [[row]]);
        await workbook.read(area(sheet, row, 0), "values");
      }
    } catch (error) {
      await workbook.deleteSheet(sheet);
      throw error;
    }
    return sheet;
  };
  const groups = (excel: NodeExcel) =>
    excel.runOptions.map((options) => (options as { mergeUndoGroup?: boolean }).mergeUndoGroup === true);

  it("is grouped where Excel can, and only there", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.excelApi = 20;
    await workbook.step(build, { asOneUndo: true });
    await workbook.step((inStep) => inStep.write(area("Plan", 0, 0), [[1]]));
    await workbook.step(build, { asOneUndo: true });
    excel.excelApi = 19;
    await workbook.step(build, { asOneUndo: true });
    // The first group is tested once, with a batch that changes nothing.
    // INV adds a sheet outside of the group, because it needs the id at once.
    expect(groups(excel)).toEqual([true, true, false, false, true, false, false]);
    expect(excel.trips[0]).toEqual(["load"]);
  });

  it.each(["UndoNotSupported", "GeneralException", "InvalidArgument"])(
    "is done without the group where Excel refuses groups with %s, and nothing of it is done twice",
    async (code) => {
      const { excel, workbook } = openWorkbook("Plan");
      excel.excelApi = 20;
      excel.failures.push(code);
      const sheet = await workbook.step(build, { asOneUndo: true });
      expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan", "New"]);
      expect(excel.sheet("New").id).toBe(sheet);
      expect(entered(excel, area("New", 0, 0, 2, 1))).toEqual([[0], [1]]);
      expect(groups(excel)).toEqual([true, false]);
    },
  );

  it.each(["UndoNotSupported", "GeneralException", "InvalidArgument"])(
    "fails if Excel refuses the undo group in the middle with %s; only the next step runs without a group",
    async (code) => {
      const { excel, workbook } = openWorkbook("Plan");
      excel.excelApi = 20;
      excel.failures.push(null, null, null, null, code);
      let times = 0;
      const once = (inStep: Workbook): Promise<string> => {
        times += 1;
        return build(inStep);
      };
      await expect(workbook.step(once, { asOneUndo: true })).rejects.toThrow("Try again");
      expect(times).toBe(1);
      expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan"]);
      // The sheet is added and deleted outside the group, because Excel can't undo that.
      expect(groups(excel)).toEqual([true, true, false, false]);
      await workbook.step(once, { asOneUndo: true });
      expect(groups(excel).at(-1)).toBe(false);
    },
  );
});

describe("selecting", () => {
  it("shows the sheet and the cell", async () => {
    const { excel, workbook } = openWorkbook("Plan", "Other");
    await workbook.select(area("Other", 4, 2));
    expect(excel.active).toBe("Other");
    expect(excel.selection).toEqual({ sheet: "Other", blocks: [{ row: 4, col: 2, rows: 1, cols: 1 }] });
  });

  it.each([
    ["a hidden sheet", "Notes", "hidden"],
    ["a sheet that is gone", "Gone", "no longer there"],
  ])("%s is refused in words", async (_title, sheet, words) => {
    const { excel, workbook } = openWorkbook("Plan", "Notes");
    excel.sheet("Notes").visibility = "Hidden";
    await expect(workbook.select(area(sheet, 0, 0))).rejects.toMatchObject({
      message: expect.stringContaining(words) as unknown,
    });
    expect(excel.selection).toBeNull();
  });
});

test("every batch waits while a cell is being edited", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await workbook.sheets();
  await workbook.write(area("Plan", 0, 0), [[1]]);
  expect(excel.requests.map(({ waitsForEdit }) => waitsForEdit)).toEqual([true, true]);
});
