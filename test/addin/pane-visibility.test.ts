/** Whether a person sees the pane, by Excel's reports and by what the browser draws. */
import { createPaneVisibility } from "../../src/addin/pane-visibility";
import { createNotices } from "../../src/domain/notices";
import { createVirtualClock } from "../helpers/virtual-clock";

function bed(nextFrame: () => Promise<boolean> = () => new Promise(() => undefined)) {
  const clock = createVirtualClock();
  const notices = createNotices();
  let listeners = 0;
  let report: (isVisible: boolean) => void = () => undefined;
  const visibility = createPaneVisibility(
    { clock, follow: (listener) => void (report = listener), nextFrame },
    {
      tell: () => notices.tell(),
      subscribe(listener) {
        const unsubscribe = notices.subscribe(listener);
        listeners += 1;
        return () => {
          listeners -= 1;
          unsubscribe();
        };
      },
    },
  );
  return { clock, visibility, report: (isVisible: boolean) => report(isVisible), listeners: () => listeners };
}

it("is shown if Excel reports it within a second", async () => {
  const { clock, visibility, report } = bed();
  const shown = visibility.isShown();
  clock.setTimeout(() => report(true), 900);
  expect(await clock.until(shown)).toBe(true);
  expect(await visibility.isShown()).toBe(true);
  report(false);
  expect(await clock.until(visibility.isShown())).toBe(false);
});

it("is shown before the first report if the browser draws it, and isn't if its page has no size", async () => {
  expect(await bed(() => Promise.resolve(true)).visibility.isShown()).toBe(true);
  expect(await bed(() => Promise.resolve(false)).visibility.isShown()).toBe(false);
});

it("asks the browser no more after Excel has reported that it is hidden", async () => {
  const { clock, visibility, report } = bed(() => Promise.resolve(true));
  report(false);
  expect(await clock.until(visibility.isShown())).toBe(false);
});

it("keeps no listener of a question that was answered, however often a hidden pane is asked about", async () => {
  const { clock, visibility, report, listeners } = bed();
  let shown = 0;
  visibility.onShown(() => (shown += 1));
  report(false);
  for (let command = 0; command < 20; command += 1) await clock.until(visibility.isShown());
  expect(listeners()).toBe(1);
  report(true);
  expect(shown).toBe(1);
});
