/** A saved list in the download: Excel can read its name from the file, and it is a list again when the file is opened. */
import { workbookAsXlsx } from "../../../src/browser-workbook/download/xlsx";
import { readFile } from "../../../src/browser-workbook/open-xlsx/read-file";
import { readZip } from "../../../src/browser-workbook/open-xlsx/zip";
import { listPlace } from "../../../src/workbook/lists/list-formula";
import { saveList } from "../../../src/workbook/lists/saved-lists";
import { createMemoryWorkbook } from "../../workbook/memory-workbook";

it("a download contains a saved list, and opening it gives the list back", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  const { heading } = await saveList(workbook, { name: "Top", kind: "items", entries: ["00012345678905"] });
  const blob = await workbookAsXlsx({
    workbook,
    layoutOf: () => ({
      frozenRows: 0,
      frozenCols: 0,
      notes: [],
      merged: [],
      bordered: [],
      hiddenRows: [],
      hiddenCols: [],
    }),
  });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  expect(await readZip(bytes).text("xl/workbook.xml")).toContain(">_xlfn._xlws.FILTER(");
  const { names } = await readFile(bytes);
  expect(names.map(({ name, formula }) => [name, listPlace(formula)?.heading])).toEqual([["Top", heading]]);
});
