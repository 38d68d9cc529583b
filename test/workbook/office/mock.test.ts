/** The same discipline held against Microsoft's own mock of Office, as far as it goes. */
import { OfficeMockObject } from "office-addin-mock";
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { OfficeGlobals } from "../../../src/workbook/office/session";
import { createFakeExcel } from "./fake-excel";

// The mock brings a manifest reader that jest cannot load on Node 20; no manifest is read here.
jest.mock("office-addin-manifest", () => ({ OfficeApp: {} }));

/** The mock takes any shape, though its types ask for instances of a class it does not export. */
const MockObject = OfficeMockObject as unknown as new (shape: object) => unknown;

interface MockContext {
  workbook: { worksheets: Record<string, unknown> };
}

function openMock(workbook: Record<string, unknown>) {
  const mock = {
    context: { workbook },
    run(
      this: { context: MockContext },
      _options: unknown,
      batch: (context: MockContext) => Promise<unknown>,
    ) {
      return batch(this.context);
    },
  };
  const excel = new MockObject(mock) as OfficeGlobals["excel"];
  return createOfficeWorkbook({ excel, office: createFakeExcel().office });
}

test("cells are loaded and synced before they are read", async () => {
  const workbook = openMock({
    worksheets: {
      getItem(this: { sheet: unknown }) {
        return this.sheet;
      },
      sheet: {
        getRangeByIndexes(this: { range: unknown }) {
          return this.range;
        },
        range: { values: [["00012345678905", 7, ""]] },
      },
    },
  });
  const cells = await workbook.read({ sheet: "Plan", row: 0, col: 0, rows: 1, cols: 3 }, "values");
  expect(cells).toEqual([["00012345678905", 7, null]]);
});
