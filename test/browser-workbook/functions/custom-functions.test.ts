/** Functions register, are called, register late, fail, and are replaced when their frame is reloaded. */
import { createCustomFunctions } from "../../../src/browser-workbook/functions/custom-functions";

const call = { id: "QTY", parameters: [1], address: "Sheet1!A1" };

test("a call hands over the parameters and then the invocation with the address", async () => {
  const functions = createCustomFunctions();
  const received: unknown[][] = [];
  functions.host.associate("QTY", (...given) => {
    received.push(given);
    return 5;
  });
  await expect(functions.call(call)).resolves.toEqual({ kind: "value", value: 5 });
  expect(received).toEqual([[1, { address: "Sheet1!A1" }]]);
});

test("a call made before its function registered is answered after", async () => {
  const functions = createCustomFunctions();
  const waiting = functions.call(call);
  functions.host.associate("qty", () => Promise.resolve(7));
  await expect(waiting).resolves.toEqual({ kind: "value", value: 7 });
});

test("a function that throws at once, or rejects, gives its error", async () => {
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

test("calls under way when the frame is replaced are made again with the new functions", async () => {
  const functions = createCustomFunctions();
  let endOld: (value: number) => void = () => undefined;
  functions.host.associate("QTY", () => new Promise<number>((resolve) => (endOld = resolve)));
  const waiting = functions.call(call);
  functions.host.associate("QTY", () => Promise.resolve(2));
  endOld(1);
  await expect(waiting).resolves.toEqual({ kind: "value", value: 2 });
});

test("when the add-in does not come, waiting and later calls end with the reason until it does", async () => {
  const functions = createCustomFunctions();
  const waiting = functions.call(call);
  functions.giveUp("The add-in did not load.");
  const failed = { kind: "value", value: { error: "#NAME?", reason: "The add-in did not load." } };
  await expect(waiting).resolves.toEqual(failed);
  await expect(functions.call(call)).resolves.toEqual(failed);
  functions.host.associate("QTY", () => 3);
  await expect(functions.call(call)).resolves.toEqual({ kind: "value", value: 3 });
});

test("after the add-in's page is gone its functions are not called, and calls under way do not wait for ever", async () => {
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
