/** Broadcasting of ranges, as Excel's operators do it, and the addresses of the cells that the results fill. */
import { fc } from "../helpers/properties";
import { isInvError } from "../../src/domain/errors";
import { spilledAddress } from "../../src/cells/problem-details";
import { cellAt, commonShape, toGrid } from "../../src/functions/grid";

/** Excel's operators in the simplest form: the value at a place, or that it does not fit. */
function naive(arguments_: number[][][]): string[][] | "does not fit" {
  const rows = Math.max(...arguments_.map((matrix) => matrix.length));
  const cols = Math.max(...arguments_.map((matrix) => matrix[0]!.length));
  for (const matrix of arguments_) {
    if (![1, rows].includes(matrix.length) || ![1, cols].includes(matrix[0]!.length)) return "does not fit";
  }
  const result: string[][] = [];
  for (let row = 0; row < rows; row++) {
    result.push([]);
    for (let col = 0; col < cols; col++) {
      const values = arguments_.map((matrix) => {
        const line = matrix.length === 1 ? matrix[0]! : matrix[row]!;
        return line.length === 1 ? line[0]! : line[col]!;
      });
      result[row]!.push(values.join());
    }
  }
  return result;
}

const matrix = fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 2, 4)).chain(([rows, cols]) =>
  fc.array(fc.array(fc.nat(99), { minLength: cols, maxLength: cols }), {
    minLength: rows,
    maxLength: rows,
  }),
);

describe("ranges", () => {
  it("are broadcast as Excel's operators do, for any shapes of up to five arguments", () => {
    fc.assert(
      fc.property(fc.array(matrix, { minLength: 1, maxLength: 5 }), (arguments_) => {
        const grids = arguments_.map(toGrid);
        const shape = commonShape(
          Object.fromEntries(grids.map((grid, index) => [`argument ${index}`, grid])),
        );
        const expected = naive(arguments_);
        if (isInvError(shape)) {
          expect(expected).toBe("does not fit");
          return;
        }
        const broadcast = Array.from({ length: shape.rows }, (_row, row) =>
          Array.from({ length: shape.cols }, (_col, col) =>
            grids.map((grid) => cellAt(grid, row, col)).join(),
          ),
        );
        expect(broadcast).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the address of a spilled cell", () => {
  it.each([
    ["Sheet1!C2", 0, 0, "Sheet1!C2"],
    ["Sheet1!C2", 3, 1, "Sheet1!D5"],
    ["'My sheet'!Z9", 1, 1, "'My sheet'!AA10"],
    ["$ZZ$1", 0, 1, "AAA1"],
    ["'It''s 5!'!AZ10", 0, 1, "'It''s 5!'!BA10"],
    ["somewhere else", 3, 3, "somewhere else"],
  ])("of %s, %i down and %i right, is %s", (formula, row, col, address) => {
    expect(spilledAddress(formula, row, col)).toBe(address);
  });
});
