/** Names of columns, to Excel's last one and back. */
import { columnIndex, columnName } from "../../src/formula/columns";

describe("a column", () => {
  it.each([
    [0, "A"],
    [1, "B"],
    [25, "Z"],
    [26, "AA"],
    [51, "AZ"],
    [52, "BA"],
    [99, "CV"],
    [100, "CW"],
    [701, "ZZ"],
    [702, "AAA"],
    [16_383, "XFD"],
  ])("%i is named %s", (col, name) => {
    expect(columnName(col)).toBe(name);
    expect(columnIndex(name)).toBe(col);
    expect(columnIndex(name.toLowerCase())).toBe(col);
  });

  it("has a unique name, for every column of Excel", () => {
    const names = Array.from({ length: 16_384 }, (_, col) => columnName(col));
    expect(new Set(names).size).toBe(16_384);
    expect(names.map(columnIndex)).toEqual(names.map((_, col) => col));
  });
});
