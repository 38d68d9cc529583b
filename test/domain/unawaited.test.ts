import { unawaited } from "../../src/domain/unawaited";

it("prints the failure of a promise that nobody waits for, so that it doesn't end the server", async () => {
  const print = jest.spyOn(console, "error").mockImplementation();
  const unhandled = jest.fn();
  process.once("unhandledRejection", unhandled);
  const failure = new Error("dropped");
  unawaited(Promise.reject(failure));
  unawaited(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(print.mock.calls).toEqual([[failure]]);
  expect(unhandled).not.toHaveBeenCalled();
  process.removeListener("unhandledRejection", unhandled);
  print.mockRestore();
});
