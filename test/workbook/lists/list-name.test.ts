/** Names for lists: refuses what Excel refuses or reads as a cell, with a proposal. */
import { checkListName } from "../../../src/workbook/lists/name-column";
import type { ListKind } from "../../../src/workbook/lists/lists";

const proposals =
  (kind: ListKind, namesInUse: readonly string[] = []) =>
  (name: string) =>
    checkListName(name, { kind, namesInUse })?.proposal ?? null;

it.each([
  "Stores_North",
  "Items_Top",
  "_north",
  "Größe.Nord",
  "TOP25A",
  "XFE1",
  "A1048577",
  "AAAA1",
  "RX",
  "Q4",
])("%s is decided as Excel does", (name) => {
  const isCell = name === "Q4";
  expect(checkListName(name, { kind: "stores", namesInUse: [] }) === null).toBe(!isCell);
});

it.each([
  ["TOP25", "TOP25 is the address of a cell.", "Items_TOP25"],
  ["xfd1048576", "XFD1048576 is the address of a cell.", "Items_xfd1048576"],
  ["R1C1", "R1C1 looks like a cell's row and column (R1C1).", "Items_R1C1"],
  ["r", "r looks like a cell's row and column (R1C1).", "Items_r"],
  ["Z2S3", "Z2S3 looks like a cell's row and column (R1C1).", "Items_Z2S3"],
  ["my stores", "A name has no spaces.", "my_stores"],
  ["2026", "A name begins with a letter or an underscore.", "Items_2026"],
  ["a-b", 'A name has letters, digits, points and underscores, but not "-".', "a_b"],
  ["True", "TRUE is a value.", "Items_True"],
  ["INV.QTY", "Names that begin with INV. are INV's functions.", "Items_INV.QTY"],
  ["", "Give the list a name.", "Items"],
  ["!!", "A name begins with a letter or an underscore.", "Items"],
])("%s is refused", (name, reason, proposal) => {
  expect(checkListName(name, { kind: "items", namesInUse: [] })).toEqual({ reason, proposal });
});

it("proposes a number for a name in use, and shortens a long name", () => {
  const namesInUse = ["stores_north", "Stores_North_2"];
  expect(checkListName("Stores_NORTH", { kind: "stores", namesInUse })).toEqual({
    reason: 'The workbook already uses the name "Stores_NORTH".',
    proposal: "Stores_NORTH_3",
  });
  const long = "N".repeat(300);
  expect(checkListName(long, { kind: "stores", namesInUse })?.reason).toBe(
    "A name has at most 255 characters; this one has 300.",
  );
  expect(proposals("stores")(long)).toHaveLength(243);
});

it("accepts every proposal", () => {
  const names = ["TOP25", "R1C1", "", "a b", "9", "..", "INV.X", "TRUE", "C", "A1 ", "N".repeat(256)];
  for (const proposed of names.map(proposals("items", ["Items", "Items_2"]))) {
    expect(checkListName(proposed ?? "", { kind: "items", namesInUse: ["Items", "Items_2"] })).toBeNull();
  }
});
