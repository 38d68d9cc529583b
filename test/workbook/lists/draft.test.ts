/** From selected cells to a list: told by row what INV refuses, each entry once, zeros kept. */
import { draftsOf } from "../../../src/workbook/lists/draft";

const gtin = "00012345678905";
const second = "00012345678912";

it("one column of items: read as the functions do, the refused told by row, the repeated once", () => {
  const cells = [["GTIN"], [gtin], [12345678912], [null], ["12A"], [gtin], [0]];
  expect(draftsOf([{ firstRow: 3, cells }])).toEqual([
    {
      kind: "items",
      itemType: "gtin",
      entries: [gtin, second],
      bad: [{ row: 7, reason: expect.stringContaining("12A") as string }],
      doubtful: [],
      repeated: 1,
    },
  ]);
});

it("a wrong check digit is told and stays", () => {
  const [draft] = draftsOf([{ firstRow: 1, cells: [[gtin], [second], ["00012345678920"]] }]);
  expect(draft?.entries).toHaveLength(3);
  expect(draft?.doubtful).toEqual([{ row: 3, reason: expect.stringContaining("00012345678929") as string }]);
});

it("stores and items beside each other make two, cells across are read as if below each other", () => {
  const both = draftsOf([
    {
      firstRow: 1,
      cells: [
        ["Store", "Item"],
        [1234, gtin],
        [1234, second],
      ],
    },
  ]);
  expect(both.map(({ kind, entries, repeated }) => [kind, entries, repeated])).toEqual([
    ["stores", [1234], 1],
    ["items", [gtin, second], 0],
  ]);
  const [across] = draftsOf([{ firstRow: 5, cells: [[gtin, "x1", second]] }]);
  expect(across).toMatchObject({ entries: [gtin, second], bad: [{ row: 2 }] });
});

it("item numbers stay what they are, and words make no list", () => {
  const [draft] = draftsOf([{ firstRow: 1, cells: [["123456789"], ["012345678"]] }]);
  expect(draft).toMatchObject({ itemType: "wm_item_number", entries: ["123456789", "012345678"] });
  expect(draftsOf([{ firstRow: 1, cells: [["pear"], ["fig"]] }])).toEqual([]);
});
