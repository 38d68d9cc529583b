/** The colour of a number among others. */
import { fc } from "../../../helpers/properties";
import { heatColor, heatScale } from "../../../../src/browser-workbook/univer/styles/heat-color";

const colors = ["#ff0000", "#ffffff", "#0000ff"] as const;

test("the lowest, the middle and the highest have the three colours, those between a mixture", () => {
  const scale = heatScale(["Store", 0, null, 10, "#N/A", 30, true])!;
  expect(scale).toEqual({ lowest: 0, median: 10, highest: 30 });
  expect([0, 5, 10, 20, 30].map((value) => heatColor(value, scale, colors))).toEqual([
    "#ff0000",
    "#ff8080",
    "#ffffff",
    "#8080ff",
    "#0000ff",
  ]);
});

test("without numbers there is no scale, and where all are equal they are in the middle", () => {
  expect(heatScale(["#BUSY!", null])).toBeNull();
  expect(heatColor(7, heatScale([7, 7])!, colors)).toBe("#ffffff");
});

test("every number has a colour, and a higher one is never nearer to the low end", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), (values) => {
      const scale = heatScale(values)!;
      const blueness = [...values]
        .sort((a, b) => a - b)
        .map((value) => {
          const color = heatColor(value, scale, colors);
          expect(color).toMatch(/^#[\da-f]{6}$/);
          return parseInt(color.slice(5), 16) - parseInt(color.slice(1, 3), 16);
        });
      expect(blueness).toEqual([...blueness].sort((a, b) => a - b));
    }),
  );
});
