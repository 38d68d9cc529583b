/** Quantities of an export are read as they were meant, or refused. */
import { openStockFile } from "../../../src/server/stock-file/open-stock-file";
import { createImportBed, type ImportBed } from "../../helpers/imported";

let bed: ImportBed;
beforeEach(() => (bed = createImportBed()));
afterEach(() => bed.end());

describe("an ambiguous number", () => {
  const exported = (quantity: string) =>
    `store,gtin,quantity,last_updated\n1234,12345678905,"${quantity}",2026-11-20`;
  const read = async (quantity: string, decimal: "point" | "comma" | null) => {
    bed.write("inventory.csv", exported(quantity));
    const { written } = await bed.run({ rules: { times: "iso", decimal, asOfMs: null } });
    if (!written) return "refused";
    const { database, close } = await openStockFile(bed.path("stock.db"));
    const [row] = database.prepare("SELECT quantity FROM stock").all();
    close();
    return row?.[0];
  };

  it.each(["1.234", "-12.345", "999.000"])(
    "%s is refused until somebody says what the point is",
    async (text) => {
      expect(await read(text, null)).toBe("refused");
      expect(await read(text, "point")).toBe(Number(text));
    },
  );

  it.each(["1.2", "1.23", "1.2345", "0.123", "1234.567", "1234"])("%s has one meaning", async (text) => {
    expect(await read(text, null)).toBe(Number(text));
  });

  it("is refused with decimal commas too, because nothing may separate digits", async () => {
    expect(await read("1.234", "comma")).toBe("refused");
    expect(await read("1,234", "comma")).toBe(1.234);
  });
});
