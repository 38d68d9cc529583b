/** Word that somebody left: once, to those who still listen, and to nobody who comes after. */
import { createLeaving } from "../../../src/server/company/leaving";

test("tells each who listens once", () => {
  const { signal, leave } = createLeaving();
  const heard: string[] = [];
  signal.addEventListener("abort", () => heard.push(`first, ${signal.aborted}`));
  signal.addEventListener("abort", () => heard.push("second"));
  expect(signal.aborted).toBe(false);
  leave();
  leave();
  expect(heard).toEqual(["first, true", "second"]);
});

test("does not tell who stopped listening, also when another's word stopped it", () => {
  const { signal, leave } = createLeaving();
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
  leave();
  expect(heard).toEqual(["second"]);
});

test("says that it has happened to who comes after, and does not call them", () => {
  const { signal, leave } = createLeaving();
  const heard: string[] = [];
  signal.addEventListener("abort", () => signal.addEventListener("abort", () => heard.push("within")));
  leave();
  signal.addEventListener("abort", () => heard.push("after"));
  expect([signal.aborted, ...heard]).toEqual([true]);
});
