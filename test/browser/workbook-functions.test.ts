/** The Functions sheet: every function live, and times that look like times. */
import { eventually, origin } from "./support";
import { openWorkbook, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openWorkbook("/?show=EVENTS");
});

test("every function of functions.json is on the sheet, its formula as text beside it, and none fails", async () => {
  const file = (await (await fetch(`${origin}/functions.json`)).json()) as { functions: { name: string }[] };
  for (const { name } of file.functions) {
    const [row] = (await workbook.values("Functions", 0, 0, 200, 4)).filter(
      ([first]) => first === `INV.${name}`,
    );
    expect(row?.[2]).toMatch(new RegExp(`^=.*INV\\.${name}\\(`));
    expect(String(row?.[3])).not.toMatch(/^#/);
  }
});

test("/?show= selects the function's formula and scrolls to it", async () => {
  await eventually(async () => {
    const selected = await workbook.port(
      (port) =>
        new Promise<{ sheet: string; row: number }>((resolve) => {
          port.onSelection(([{ sheet, row }]) => resolve({ sheet, row }));
        }),
      null,
    );
    expect(selected.sheet).toBe("Functions");
    const [[name] = []] = await workbook.values("Functions", selected.row, 0, 1, 1);
    expect(name).toBe("INV.EVENTS");
  });
});

test("a time that has spilled shows as a date in a cell without a format, and as itself in one with a format", async () => {
  await workbook.port(async (port) => {
    const sheet = await port.addSheet("Times");
    await port.format({ sheet, row: 2, col: 3, rows: 1, cols: 1 }, { numberFormat: "0" });
    await port.write({ sheet, row: 0, col: 0, rows: 1, cols: 1 }, [['=INV.STOCK(1234,"00012345678905")']]);
  }, null);
  await workbook.settled();
  await eventually(async () => {
    const [first, second] = (await workbook.texts("Times", 1, 3, 2, 1)).flat();
    expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(second).toMatch(/^\d{5}$/);
  });
  const shown = (await workbook.values("Times", 1, 3, 1, 1)).flat();
  expect(typeof shown[0]).toBe("number");
});
