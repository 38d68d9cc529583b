/** Converts arguments of a formula to parameters of a function, as Excel does. */
import { prepareArguments } from "../../../src/browser-workbook/functions/call-arguments";
import { fault, pendingText } from "../../../src/browser-workbook/functions/cell-values";
import type {
  FunctionDescription,
  FunctionParameter,
} from "../../../src/browser-workbook/functions/functions-file";

function parameter(name: string, change: Partial<FunctionParameter> = {}): FunctionParameter {
  return { name, description: "", isMatrix: false, optional: false, ...change };
}

function described(...parameters: FunctionParameter[]): FunctionDescription {
  return { id: "QTY", name: "QTY", description: "", parameters };
}

const item = parameter("item", { isMatrix: true });
const area = parameter("location_area", { optional: true });

test("passes a single value to a range parameter as a range of one cell", () => {
  expect(prepareArguments(described(item), ["00012345678905"])).toEqual({
    parameters: [[["00012345678905"]]],
  });
});

test("passes null for an omitted argument", () => {
  expect(prepareArguments(described(item, area, area), [7])).toEqual({ parameters: [[[7]], null, null] });
  expect(prepareArguments(described(item, area, area), [7, null, "STORE"])).toEqual({
    parameters: [[[7]], null, "STORE"],
  });
});

test("passes blank cells of a range as empty text", () => {
  const range = [
    [1234, null],
    [true, "x"],
  ];
  const rows = [
    [1234, ""],
    [true, "x"],
  ];
  expect(prepareArguments(described(item), [range])).toEqual({ parameters: [rows] });
});

test("refuses a range for a single-value parameter with #CALC!, unless it is one cell", () => {
  const single = described(parameter("store"));
  expect(prepareArguments(single, [[[1234]]])).toEqual({ parameters: [1234] });
  expect(prepareArguments(single, [[[1], [2]]])).toMatchObject({ fault: { error: "#CALC!" } });
});

test("passes an error as Excel's error value", () => {
  expect(prepareArguments(described(item), [fault("#N/A")])).toEqual({
    parameters: [[[{ type: "Error", basicType: "Error", basicValue: "#N/A", errorType: "NotAvailable" }]]],
  });
});

test("makes no call while an argument is pending", () => {
  const waiting = { fault: fault(pendingText) };
  expect(prepareArguments(described(item), [fault(pendingText)])).toEqual(waiting);
  expect(prepareArguments(described(item), [[[1, fault(pendingText)]]])).toEqual(waiting);
});

test("names a missing argument, and counts surplus ones", () => {
  expect(prepareArguments(described(item, item), [1])).toMatchObject({
    fault: { error: "#VALUE!", reason: "INV.QTY needs item, which is missing." },
  });
  expect(prepareArguments(described(item), [1, 2])).toMatchObject({
    fault: { error: "#VALUE!", reason: "INV.QTY takes at most 1 argument." },
  });
  expect(prepareArguments(described(), [1])).toMatchObject({
    fault: { reason: "INV.QTY takes no arguments." },
  });
});
