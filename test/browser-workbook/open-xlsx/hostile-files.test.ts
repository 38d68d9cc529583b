/** Hostile or broken files are refused with one sentence, before they become large. */
import { readFile } from "../../../src/browser-workbook/open-xlsx/read-file";
import { bookOf, bookParts, type Part, relations, zipOf } from "./make-zip";

const cell = `<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>`;

async function refusal(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return readFile(bytes).then(
    () => "opened",
    (error: unknown) => (error as Error).message,
  );
}

const text = (content: string) => new Uint8Array(Buffer.from(content));

test.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
  ["no zip", text("store,item\n1,2\n"), /^This is not an \.xlsx file\.$/],
  ["nothing", text(""), /^This is not an \.xlsx file\.$/],
  ["a zip of something else", zipOf([{ name: "a.txt", content: "a" }]), /^This is not an \.xlsx file\.$/],
  ["a password", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]), /password or is of Excel before 2007/],
  ["a zip's password", zipOf(bookParts(cell).map((part) => ({ ...part, flags: 1 }))), /has a password/],
  ["a part cut off", bookOf(cell).slice(0, -400), /^This is not an/],
  [
    "another compression",
    zipOf(bookParts(cell).map((part) => ({ ...part, method: 12 }))),
    /packed in an unknown way/,
  ],
])("%s", async (_title, bytes, sentence) => {
  expect(await refusal(bytes)).toMatch(sentence);
});

describe("what would grow", () => {
  const zeros = new Uint8Array(40_000_000);

  test("refuses a zip bomb by its directory", async () => {
    const bomb = [1, 2, 3].map((number) => ({ name: `xl/media/${number}.bin`, content: zeros }));
    expect(await refusal(bookOf(cell, bomb))).toMatch(
      /too large to be opened here: (?:a part is packed|unpacked)/,
    );
  });

  test("limits the size of all parts together", async () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({
      name: `p${index}`,
      content: "",
      claims: 1_999_999,
    }));
    expect(await refusal(bookOf(cell, parts))).toMatch(/more than 100 MB/);
  });

  test("refuses a part that is packed a thousand to one", async () => {
    const bomb = (bytes: number) => bookOf(cell, [{ name: "xl/bomb.xml", content: new Uint8Array(bytes) }]);
    expect(await refusal(bomb(2_000_001))).toMatch(/a part is packed too tightly/);
    expect(await refusal(bomb(2_000_000))).toBe("opened");
  });

  test("stops unpacking a part that is larger than its directory says", async () => {
    const lying = bookParts(cell).map((part) =>
      part.name.endsWith("sheet1.xml") ? { ...part, content: zeros, claims: 900 } : part,
    );
    expect(await refusal(zipOf(lying))).toBe("The file is damaged: a part becomes more than it says.");
  });

  test("refuses a part that is smaller than its directory says", async () => {
    const lying = bookParts(cell).map((part) => ({ ...part, claims: 5_000 }));
    expect(await refusal(zipOf(lying))).toBe("The file is damaged: a part becomes less than it says.");
  });

  test("refuses a hundred thousand parts", async () => {
    const parts = Array.from({ length: 4_000 }, (_, index) => ({ name: `p${index}`, content: "" }));
    expect(await refusal(bookOf(cell, parts))).toMatch(/it has 4\d{3} parts/);
  });

  test("refuses two parts of one name", async () => {
    expect(await refusal(zipOf([...bookParts(cell), ...bookParts(cell)]))).toMatch(/names a part twice/);
  });

  test("refuses entities that multiply", async () => {
    const laughs = `<!DOCTYPE a [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>`;
    const parts: Part[] = [{ name: "xl/worksheets/sheet1.xml", content: laughs }];
    expect(await refusal(bookOf(cell, parts))).toMatch(/declares a document type/);
  });

  test("refuses entities that name a file", async () => {
    const strings = `<!DOCTYPE sst [<!ENTITY x SYSTEM "file:///etc/passwd">]><sst><si><t>&x;</t></si></sst>`;
    const parts: Part[] = [
      { name: "xl/sharedStrings.xml", content: strings },
      {
        name: "xl/_rels/workbook.xml.rels",
        content: relations({
          r1: ["worksheet", "worksheets/sheet1.xml"],
          r2: ["sharedStrings", "sharedStrings.xml"],
        }),
      },
    ];
    expect(await refusal(bookOf(cell, parts))).toMatch(/declares a document type/);
  });

  test("refuses endlessly nested elements", async () => {
    expect(await refusal(bookOf("<a>".repeat(5_000)))).toMatch(/nested too deeply/);
  });

  test("refuses one long text in a hundred thousand cells", async () => {
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(10_000)}</row>`;
    const parts: Part[] = [
      { name: "xl/sharedStrings.xml", content: `<sst><si><t>${"x".repeat(30_000)}</t></si></sst>` },
      {
        name: "xl/_rels/workbook.xml.rels",
        content: relations({
          r1: ["worksheet", "worksheets/sheet1.xml"],
          r2: ["sharedStrings", "sharedStrings.xml"],
        }),
      },
    ];
    expect(await refusal(bookOf(`<sheetData>${row}</sheetData>`, parts))).toMatch(/60,000,000 characters/);
  });

  test("refuses an array formula over the whole sheet", async () => {
    const array = `<sheetData><row r="1"><c r="A1"><f t="array" ref="A1:XFD1048576">1</f><v>1</v></c></row></sheetData>`;
    expect(await refusal(bookOf(array))).toMatch(/1,000,000 spilled cells/);
  });

  test("reads repeated columns once", async () => {
    const columns = `<cols>${'<col min="1" max="16384" width="9"/>'.repeat(20_000)}</cols>`;
    const book = await readFile(bookOf(columns + cell));
    expect(book.sheets[0]?.columns).toHaveLength(1);
  });
});

test("ignores the size that a sheet claims", async () => {
  const sheet = `<dimension ref="A1:XFD1000000000"/><sheetData><row r="1000000000"><c r="A1000000000"><v>1</v></c></row>
    <row r="2"><c r="B2"><v>2</v></c><c r="ZZZ3"><v>3</v></c></row></sheetData>`;
  const book = await readFile(bookOf(sheet));
  expect(book.sheets[0]?.cells).toEqual([{ row: 1, col: 1, value: 2, style: 0 }]);
});

test.each([
  [255, "#".repeat(255)],
  [256, undefined],
])("a number format of %i characters", async (length, numberFormat) => {
  const format = `<numFmt numFmtId="200" formatCode="${"#".repeat(length)}"/>`;
  const parts: Part[] = [
    {
      name: "xl/styles.xml",
      content: `<styleSheet><numFmts>${format}</numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs></styleSheet>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations({ r1: ["worksheet", "worksheets/sheet1.xml"], r2: ["styles", "styles.xml"] }),
    },
  ];
  const book = await readFile(bookOf(cell, parts));
  expect(book.styles[1]?.numberFormat).toBe(numberFormat);
});

test("finds no part for a path that leads out of the file", async () => {
  const parts: Part[] = [
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations({ r1: ["worksheet", "../../../../etc/passwd"] }),
    },
    { name: "../../../../etc/passwd", content: "<worksheet/>" },
  ];
  expect(await refusal(bookOf(cell, parts))).toMatch(/etc\/passwd is missing/);
});

test("reports broken XML in one sentence that names the part", async () => {
  expect(await refusal(bookOf("<sheetData><row>"))).toBe(
    "The file is damaged: xl/worksheets/sheet1.xml cannot be read.",
  );
});

test.each([
  ["workbooks that count from 1904", `<workbookPr date1904="1"/>`, /counts its days from 1904/],
  ["sheets of one name", `<sheets><sheet name="Plan"/><sheet name="plan"/></sheets>`, /a sheet's name/],
])("%s are refused", async (_title, inner, sentence) => {
  const parts: Part[] = [{ name: "xl/workbook.xml", content: `<workbook>${inner}</workbook>` }];
  expect(await refusal(bookOf(cell, parts))).toMatch(sentence);
});
