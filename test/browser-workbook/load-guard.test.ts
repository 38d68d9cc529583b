/** After two loads that did not finish, a workbook opens without calculating. */
import { createLoadGuard } from "../../src/browser-workbook/shell/paused-notice";

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

it("stops calculating after two unfinished loads, until one finishes", () => {
  const kept = storage();
  const load = () => createLoadGuard(kept, "demo");
  load().begin();
  expect(load().allowsCalculation).toBe(true);
  load().begin();
  expect(load().allowsCalculation).toBe(false);
  expect(createLoadGuard(kept, "sandbox").allowsCalculation).toBe(true);
  const asked = load();
  asked.begin();
  expect(load().allowsCalculation).toBe(false);
  asked.finish();
  expect(load().allowsCalculation).toBe(true);
});

it("doesn't calculate after a calculation that took too long", () => {
  const kept = storage();
  createLoadGuard(kept, "demo").giveUp();
  expect(createLoadGuard(kept, "demo").allowsCalculation).toBe(false);
});

it("calculates without storage", () => {
  expect(createLoadGuard(null, "demo").allowsCalculation).toBe(true);
});
