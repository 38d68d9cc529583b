/** Sheets as bits: told apart by name however the host spells it, and never more bits than an integer has. */
import { createSheets } from "../../src/engine/arrivals";

describe("the sheet of a cell", () => {
  it("is the preferred one by its tab's name, whether told before or after its cells", () => {
    const sheets = createSheets();
    sheets.prefer("Tom's plan");
    expect(sheets.bitOf("'Tom''s plan'!A1")).toBe(sheets.preferred());
    const bit = sheets.bitOf("Other!A1");
    sheets.prefer("Other");
    expect(sheets.preferred()).toBe(bit);
    sheets.prefer(null);
    expect(sheets.preferred()).toBe(0);
  });

  it("always has one, beyond 29 sheets a shared one", () => {
    const sheets = createSheets();
    const bits = Array.from({ length: 40 }, (_, index) => sheets.bitOf(`Sheet${index}!A1`));
    expect(new Set(bits.slice(0, 29)).size).toBe(29);
    expect(new Set(bits.slice(29)).size).toBe(1);
    expect(bits.every((bit) => bit > 0 && bit < 2 ** 31)).toBe(true);
  });
});
