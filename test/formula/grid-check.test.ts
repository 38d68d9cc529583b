/** What the grid of the browser workbook can't follow is found in the formula, with a reason; all else is left to the grid. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GridSurroundings, inspectFormula, problemIn } from "../../src/formula/grid-check";

const names: Readonly<Record<string, string>> = {
  STORES: "=Plan!$A$2:$A$50",
  SPILL: "=SUM(Plan!$C$1#)",
  DOUBLE: "=LAMBDA(x,x*2)",
  LOOP: "=LOOP+1",
  CHOSEN: "=INDIRECT(Plan!$A$1)",
};
const known =
  "SUM ROUND IF IFNA INDEX MAP LAMBDA LET COUNTA SEQUENCE INV.QTY INV.EVENTS IMAGE OFFSET INDIRECT SHEET SHEETS".split(
    " ",
  );

const surroundings: GridSurroundings = {
  isFunction: (name) => known.includes(name),
  formulaOf: (name) => names[name.toUpperCase()] ?? null,
  hasSheet: (sheet) => ["Plan", "It's", "North|South"].includes(sheet),
  alike: (sheet) => (sheet.toLowerCase() === "plan" ? "Plan" : null),
};

const problemOf = (formula: string) => problemIn(inspectFormula(formula), surroundings);

test.each([
  ["=COUNTA(C1#)", "#VALUE!", "C1#, all cells that a formula fills, isn't available here. Name the cells."],
  ["=A1*1,19", "#VALUE!", "Use commas between arguments and a point for decimals."],
  ["=SUM(1,5;2)", "#VALUE!", "Use commas between arguments and a point for decimals."],
  [
    "=MAP(A1:A3,SUM)",
    "#VALUE!",
    "A function as an argument (SUM) isn't available here. Write LAMBDA(x,SUM(x)).",
  ],
  ["=Missing!A1", "#REF!", 'There is no sheet "Missing" in this workbook.'],
  [
    "=plan!A1",
    "#REF!",
    'There is no sheet "plan" in this workbook. Upper and lower case matter here: write Plan.',
  ],
  ["=SUM(1:3)", "#VALUE!", "Whole rows (1:3) aren't available here."],
  ["=SUM(Plan!A1:'It''s'!A3)", "#VALUE!", "This range isn't available here."],
  ["=SUM(Plan!A1:Plan!A3)", "#REF!", 'There is no sheet "A1:Plan" in this workbook.'],
  ["=SUM(A1:B2:C3)", "#VALUE!", "This range isn't available here."],
  ["=SUM(STORES:A3)", "#VALUE!", "This range isn't available here."],
  ["=SUM({A1,2})", "#VALUE!", "An array in braces can contain only numbers and texts here."],
  ["=1E3", "#VALUE!", "Numbers such as 1E3 aren't available"],
  ["=WENNNV(A1,0)", "#NAME?", "WENNNV isn't known here. This workbook uses English function names."],
  ["=INV.QTX(A1)", "#NAME?", "INV.QTX isn't known here. This workbook uses English function names."],
  ["=Qty*2", "#NAME?", "Qty isn't known here. No function, cell or name of this workbook is called that."],
  ["=XFE1", "#NAME?", "XFE1 isn't known here."],
  ['=IMAGE("http://x/y.png")', "#NAME?", "IMAGE reaches outside the workbook."],
  ['=WEBSERVICE("http://x/")', "#NAME?", "WEBSERVICE reaches outside the workbook."],
  ['=INDIRECT("Plan!A1")', "#VALUE!", "INDIRECT isn't available here. Name the cells"],
  ['=SUM(indirect (A1&"!B2:B9"))', "#VALUE!", "INDIRECT isn't available here."],
  ["=CHOSEN*2", "#VALUE!", "CHOSEN stands for =INDIRECT(Plan!$A$1). INDIRECT isn't available here."],
  ['=SHEET("Plan")', "#VALUE!", "SHEET isn't available here. Its value would stay when sheets are added"],
  ["=SHEETS()+1", "#VALUE!", "SHEETS isn't available here."],
  ["=MAP(A1:A3,INDIRECT)", "#VALUE!", "A function as an argument (INDIRECT) isn't available here."],
  ["=OFFSET(Missing!A1,1,0)", "#REF!", 'There is no sheet "Missing" in this workbook.'],
  ["=SPILL+1", "#VALUE!", "SPILL stands for =SUM(Plan!$C$1#). $C$1#, all cells"],
  [`=1${"+1".repeat(5_000)}`, "#VALUE!", "A formula can have at most 8192 characters."],
])("%s is refused", (formula, error, reason) => {
  expect(problemOf(formula)).toEqual({ error, reason: expect.stringContaining(reason) as string });
});

test.each([
  "=1",
  "=-A1^2%",
  "=A1:A3+B1:B3",
  "=SUM(A:A,Plan!$B$1:$B$2000, 3 )",
  "=SUM (A1001:A2000)",
  "=SUM(A1,,)",
  "=SEQUENCE()",
  "=SUM(A1:INDEX(A:A,3))",
  "=SUM(INDEX(A:A,1):A3)",
  "=SUM(INDEX(A:A,1):INDEX(A:A,3))",
  "=SUM(Plan!A1:INDEX(Plan!A:A,3))",
  '=SUM({1,-2;3,"a"})&"a;b,c #@"',
  "='It''s'!A1+'North|South'!B2",
  "=MAP(A1:A3,LAMBDA(x,x*2))",
  "=LAMBDA(x,x+1)(3)",
  "=LET(x,A1,y,x+1,(x+y)*2)",
  "=DOUBLE(4)+SUM(STORES)",
  "=Plan!STORES",
  "=LOOP",
  "=IF(TRUE,A1=B1,A1<>B1)",
  "=#REF!+#N/A",
  '=IFNA(INV.QTY(A2,B2,,"NET_AVAILABLE"),0)',
  "= A1 + 1 ",
  '=SUM(OFFSET(Plan!A1,1,0,3,1))&"INDIRECT(A1)"',
])("%s is left to the grid", (formula) => expect(problemOf(formula)).toBeNull());

test("accepts every formula of the built-in templates, apart from their tables", () => {
  const folder = join(__dirname, "..", "..", "src", "workbook", "templates", "built-in");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const formulas = files.flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/"(=(?:[^"\\\n]|\\.)+)"/g)].map(([, json = ""]) =>
      (JSON.parse(`"${json}"`) as string).replace(/\{(?:row|first|last)\}/g, "2").replace(/\{\w+\}/g, "C"),
    ),
  );
  expect(formulas.length).toBeGreaterThan(20);
  const anywhere = {
    ...surroundings,
    isFunction: () => true,
    formulaOf: () => "=A1",
    hasSheet: () => true,
  };
  const refused = formulas.filter((formula) => problemIn(inspectFormula(formula), anywhere) !== null);
  expect(refused).toEqual([]);
});
