/** Converts arguments of a formula to parameters of a function, as Excel does. */
import { prepareArguments } from "../../../src/browser-workbook/functions/call-arguments";
import { type Argument, fault, pendingText } from "../../../src/browser-workbook/functions/cell-values";
import type {
  FunctionDescription,
  FunctionParameter,
} from "../../../src/browser-workbook/functions/functions-file";

function parameter(name: string, change: Partial<FunctionParameter> = {}): FunctionParameter {
  return { name, description: "", type: "any", matrix: false, optional: false, ...change };
}

function described(...parameters: FunctionParameter[]): FunctionDescription {
  return { id: "QTY", name: "QTY", description: "", parameters };
}

const item = parameter("item", { matrix: true });
const area = parameter("location_area", { optional: true });

function prepare(description: FunctionDescription, given: Argument[], errorsReach = true) {
  return prepareArguments(description, given, errorsReach);
}

test("a single value given to a range parameter arrives as one row of one", () => {
  expect(prepare(described(item), ["00012345678905"])).toEqual({ parameters: [[["00012345678905"]]] });
});

test("what is left out at the end or between commas arrives as null", () => {
  expect(prepare(described(item, area, area), [7])).toEqual({ parameters: [[[7]], null, null] });
  expect(prepare(described(item, area, area), [7, null, "STORE"])).toEqual({
    parameters: [[[7]], null, "STORE"],
  });
});

test("blank cells of a range arrive as empty text, other values untouched", () => {
  const range = [
    [1234, null],
    [true, "x"],
  ];
  const rows = [
    [1234, ""],
    [true, "x"],
  ];
  expect(prepare(described(item), [range])).toEqual({ parameters: [rows] });
});

test("a range given to a single-value parameter is #CALC!, one cell of it is its value", () => {
  const single = described(parameter("store"));
  expect(prepare(single, [[[1234]]])).toEqual({ parameters: [1234] });
  expect(prepare(single, [[[1], [2]]])).toMatchObject({ fault: { error: "#CALC!" } });
});

test("an error reaches an any parameter as Excel's error value", () => {
  expect(prepare(described(item), [fault("#N/A")])).toEqual({
    parameters: [[[{ type: "Error", basicType: "Error", basicValue: "#N/A", errorType: "NotAvailable" }]]],
  });
});

test.each([
  ["the functions take no errors", "any", false],
  ["the parameter is not any", "string", true],
] as const)("an error ends the formula when %s", (_, type, errorsReach) => {
  const description = described(parameter("item", { type }));
  expect(prepare(description, [fault("#DIV/0!")], errorsReach)).toEqual({ fault: fault("#DIV/0!") });
});

test("nothing is called while an argument is pending, in a range too", () => {
  const waiting = { fault: fault(pendingText) };
  expect(prepare(described(item), [fault(pendingText)])).toEqual(waiting);
  expect(prepare(described(item), [[[1, fault(pendingText)]]])).toEqual(waiting);
});

test("a missing argument and one too many are named", () => {
  expect(prepare(described(item, item), [1])).toMatchObject({
    fault: { error: "#VALUE!", reason: "INV.QTY needs item, which is missing." },
  });
  expect(prepare(described(item), [1, 2])).toMatchObject({
    fault: { error: "#VALUE!", reason: "INV.QTY takes at most 1 argument." },
  });
  expect(prepare(described(), [1])).toMatchObject({ fault: { reason: "INV.QTY takes no arguments." } });
});

test.each([
  ["number", "12", 12],
  ["number", true, 1],
  ["number", null, 0],
  ["string", 12, "12"],
  ["string", true, "TRUE"],
  ["string", null, ""],
  ["boolean", 0, false],
  ["boolean", " false ", false],
] as const)("a %s parameter turns %p into %p", (type, given, expected) => {
  expect(prepare(described(parameter("p", { type })), [[[given]]])).toEqual({ parameters: [expected] });
});

test.each([
  ["number", "twelve"],
  ["number", ""],
  ["boolean", "perhaps"],
] as const)("a %s parameter refuses %p and names itself", (type, given) => {
  expect(prepare(described(parameter("amount", { type })), [given])).toMatchObject({
    fault: { error: "#VALUE!", reason: expect.stringContaining("amount must be") as string },
  });
});
