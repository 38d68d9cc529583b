/** Functions register, are called, register late, fail, and are replaced when their frame is reloaded. */
import { createCustomFunctions } from "../../../src/browser-workbook/functions/custom-functions";

const call = { id: "QTY", parameters: [1], address: "Sheet1!A1" };

test("passes the parameters, then the invocation with the address", async () => {
  const functions = createCustomFunctions();
  const received: unknown[][] = [];
  functions.host.associate("QTY", (...given) => {
    received.push(given);
    return 5;
  });
  await expect(functions.call(call)).resolves.toEqual({ kind: "value", value: 5 });
  expect(received).toEqual([[1, { address: "Sheet1!A1" }]]);
});

test("answers an early call once its function registers", async () => {
  const functions = createCustomFunctions();
  const waiting = functions.call(call);
  functions.host.associate("qty", () => Promise.resolve(7));
  await expect(waiting).resolves.toEqual({ kind: "value", value: 7 });
});

test("returns the error of a function that throws or rejects", async () => {
  const functions = createCustomFunctions();
  const { Error: HostError, ErrorCode } = functions.host;
  const failure = (code: string, reason: string) =>
    new HostError(ErrorCode[code] ?? "", reason) as unknown as Error;
  functions.host.associate("QTY", () => {
    throw failure("notAvailable", "No data found");
  });
  functions.host.associate("SLOW", () => Promise.reject(failure("invalidValue", "why")));
  await expect(functions.call(call)).resolves.toMatchObject({
    value: { error: "#N/A", reason: "No data found" },
  });
  await expect(functions.call({ ...call, id: "SLOW" })).resolves.toMatchObject({
    value: { error: "#VALUE!", reason: "why" },
  });
});

test("repeats open calls when the frame is replaced", async () => {
  const functions = createCustomFunctions();
  let endOld: (value: number) => void = () => undefined;
  functions.host.associate("QTY", () => new Promise<number>((resolve) => (endOld = resolve)));
  const waiting = functions.call(call);
  functions.host.associate("QTY", () => Promise.resolve(2));
  endOld(1);
  await expect(waiting).resolves.toEqual({ kind: "value", value: 2 });
});

test("ends calls with a reason if the add-in doesn't load", async () => {
  const functions = createCustomFunctions();
  const waiting = functions.call(call);
  functions.giveUp("The add-in did not load.");
  const failed = { kind: "value", value: { error: "#NAME?", reason: "The add-in did not load." } };
  await expect(waiting).resolves.toEqual(failed);
  await expect(functions.call(call)).resolves.toEqual(failed);
  functions.host.associate("QTY", () => 3);
  await expect(functions.call(call)).resolves.toEqual({ kind: "value", value: 3 });
});

test("doesn't call functions of an unloaded page, and open calls end", async () => {
  const functions = createCustomFunctions();
  let calls = 0;
  functions.host.associate("QTY", () => {
    calls += 1;
    return new Promise(() => undefined);
  });
  const underWay = functions.call(call);
  functions.unload();
  const later = functions.call(call);
  expect(calls).toBe(1);
  functions.giveUp("The add-in did not load.");
  await expect(underWay).resolves.toMatchObject({ value: { error: "#NAME?" } });
  await expect(later).resolves.toMatchObject({ value: { error: "#NAME?" } });
});
