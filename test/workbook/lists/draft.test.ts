/** From selected cells to a list: refused rows by number, each entry once, zeros kept. */
import { draftsOf } from "../../../src/workbook/lists/draft";

const gtin = "00012345678905";
const second = "00012345678912";

it("reads a column of items as the functions do, with refused rows and without repetitions", () => {
  const cells = [["GTIN"], [gtin], [12345678912], [null], ["12A"], [gtin], [0]];
  expect(draftsOf([{ firstRow: 3, cells }])).toEqual([
    {
      kind: "items",
      itemType: "gtin",
      entries: [gtin, second],
      names: [null, null],
      bad: [{ row: 7, reason: expect.stringContaining("12A") as string }],
      doubtful: [],
      repeated: 1,
    },
  ]);
});

it("keeps an item with a wrong check digit, with a warning", () => {
  const [draft] = draftsOf([{ firstRow: 1, cells: [[gtin], [second], ["00012345678920"]] }]);
  expect(draft?.entries).toHaveLength(3);
  expect(draft?.doubtful).toEqual([{ row: 3, reason: expect.stringContaining("00012345678929") as string }]);
});

it("makes two drafts of stores and items, and reads a row like a column", () => {
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

it("keeps item numbers, and makes no list of words", () => {
  const [draft] = draftsOf([{ firstRow: 1, cells: [["123456789"], ["012345678"]] }]);
  expect(draft).toMatchObject({ itemType: "wm_item_number", entries: ["123456789", "012345678"] });
  expect(draftsOf([{ firstRow: 1, cells: [["pear"], ["fig"]] }])).toEqual([]);
});

it("takes names from the next column only if its heading says so", () => {
  const cells = (heading: string) => [
    ["Store", heading],
    [1234, "Main Street"],
    [57, " "],
  ];
  const namesUnder = (heading: string) => draftsOf([{ firstRow: 1, cells: cells(heading) }])[0]?.names;
  expect(namesUnder("Store name")).toEqual(["Main Street", null]);
  expect(namesUnder("Order?")).toEqual([null, null]);
});
