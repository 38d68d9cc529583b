/** Cancel signal: it notifies each current listener once, and no listener that is added later. */
import { createCancel } from "../../../src/server/shared-quota/cancel-signal";

test("calls each listener once", () => {
  const { signal, cancel } = createCancel();
  const heard: string[] = [];
  signal.addEventListener("abort", () => heard.push(`first, ${signal.aborted}`));
  signal.addEventListener("abort", () => heard.push("second"));
  expect(signal.aborted).toBe(false);
  cancel();
  cancel();
  expect(heard).toEqual(["first, true", "second"]);
});

test("doesn't call a removed listener, even if another listener removed it", () => {
  const { signal, cancel } = createCancel();
  const heard: string[] = [];
  const third = () => heard.push("third");
  const first = () => heard.push("first");
  signal.addEventListener("abort", first);
  signal.addEventListener("abort", () => {
    heard.push("second");
    signal.removeEventListener("abort", third);
  });
  signal.addEventListener("abort", third);
  signal.removeEventListener("abort", first);
  cancel();
  expect(heard).toEqual(["second"]);
});

test("shows later readers that it was aborted, and doesn't call their listeners", () => {
  const { signal, cancel } = createCancel();
  const heard: string[] = [];
  signal.addEventListener("abort", () => signal.addEventListener("abort", () => heard.push("within")));
  cancel();
  signal.addEventListener("abort", () => heard.push("after"));
  expect([signal.aborted, ...heard]).toEqual([true]);
});
