/**
 * Workbooks that earlier builds of INV froze and people kept. Each thaws completely: the ledger's sheets, names and
 * settings are released formats. The files in `saved` never change; a new form of the ledger adds a file.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { areaAddress } from "../../../src/workbook/addresses";
import { createThawOffer } from "../../../src/workbook/frozen-formulas/thaw-offer";
import { isLedgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import { readLists } from "../../../src/workbook/lists/saved-lists";
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { Workbook } from "../../../src/workbook/port";
import { environmentSetting } from "../../../src/workbook/settings";
import { openSavedHost, readSavedHost } from "../../excel/saved-host";
import { freezerOf } from "./freezer-of";

const folder = join(__dirname, "saved");
const files = readdirSync(folder);

function open(file: string) {
  const saved = readSavedHost(join(folder, file));
  const excel = openSavedHost(saved);
  const workbook = createOfficeWorkbook(excel);
  return { saved, excel, workbook, freezer: freezerOf(workbook) };
}

async function formulasOf(workbook: Workbook): Promise<Record<string, string>> {
  const found = await workbook.findFormulas(() => true);
  return Object.fromEntries(
    found.map(({ formula, ...ref }) => [
      `${ref.sheet}!${areaAddress({ ...ref, rows: 1, cols: 1 })}`,
      formula,
    ]),
  );
}

it.each(files)("%s thaws completely and leaves nothing of the ledger", async (file) => {
  const { saved, excel, workbook, freezer } = open(file);
  const { skipped: left } = await freezer.thaw("workbook");
  expect(left).toEqual([]);
  expect(await formulasOf(workbook)).toEqual(saved.formulas);
  expect(await freezer.frozen()).toBeNull();
  expect(excel.sheets.map(({ name }) => name).filter(isLedgerSheet)).toEqual([]);
  expect(excel.names.map(({ name }) => name).filter((name) => name.startsWith("_inv"))).toEqual([]);
});

it("a mailed copy of an earlier build is offered to thaw once, with its settings and lists", async () => {
  const { saved, workbook, freezer } = open("mailed.json.gz");
  const offer = createThawOffer(workbook, freezer);
  await offer.look();
  expect(offer.get()?.kind).toBe("mailed");
  expect(await workbook.setting(environmentSetting)).toBe("demo");
  expect((await readLists(workbook)).map(({ name, values }) => [name, values])).toEqual([
    ["MyStores", [1001, 1002, 1003]],
  ]);
  await offer.accept();
  expect(await formulasOf(workbook)).toEqual(saved.formulas);
  await offer.look();
  expect(offer.get()).toBeNull();
});

it.each(["cut-off-freezing.json.gz", "cut-off-thawing.json.gz"])(
  "%s can be finished or undone, and then every formula is in its cell or the ledger",
  async (file) => {
    for (const choice of ["accept", "decline"] as const) {
      const { saved, workbook, freezer } = open(file);
      const offer = createThawOffer(workbook, freezer);
      await offer.look();
      expect(offer.get()?.kind).toBe(file.includes("freezing") ? "freezing" : "thawing");
      await offer[choice]();
      expect(offer.get()).toBeNull();
      await freezer.thaw("workbook");
      expect(await formulasOf(workbook)).toEqual(saved.formulas);
    }
  },
);
