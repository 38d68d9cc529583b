/**
 * The cost of a refresh, before the click. The quote reads the workbook's formulas. The pane therefore requests it only when
 * the scope, the selection or the number of old values changes, a moment after INV cells are added, removed or calculated, and when
 * an answer has become too old.
 */
import { useEffect, useState } from "preact/hooks";
import type { QuotedScope, Refresher } from "../../workbook/refresh/refresh";
import { useLoaded, useObservable, useTick } from "../parts/use-observable";
import { Fold } from "../parts/parts";
import { costWords } from "../parts/words";
import type { PaneServices } from "../services";

/** Selecting by mouse reports each cell on the way; only the last one counts. */
const settleMs = 300;
/** Answers become too old one after another, as they came. */
const leastAgainMs = 2_000;

export function PriceTag(props: { services: PaneServices; refresher: Refresher; scope: QuotedScope }) {
  const { services, refresher, scope } = props;
  const { cells, clock, engine, workbook } = services;
  const [round, setRound] = useState(0);
  const { freshnessMinutes } = useObservable(services.settings);
  // Values grow old without an event.
  useTick(clock, { everyMs: 15_000, active: scope === "older" });
  const old = scope === "older" ? cells.olderThan(clock.now() - freshnessMinutes * 60_000, 0).count : null;
  const { value: quote, error } = useLoaded(() => refresher.quote(scope), [refresher, scope, round, old]);

  useEffect(() => {
    if (quote === null) return;
    const waitMs = Math.max(leastAgainMs, quote.validUntilMs - clock.now());
    // Timers can't be longer.
    const timer = clock.setTimeout(() => setRound((before) => before + 1), Math.min(waitMs, 2 ** 31 - 1));
    return () => clock.clearTimeout(timer);
  }, [clock, quote]);

  useEffect(() => {
    let timer: unknown = null;
    let wasBusy = engine.progress().busy;
    function askSoon(): void {
      clock.clearTimeout(timer);
      timer = clock.setTimeout(() => setRound((before) => before + 1), settleMs);
    }
    const open = workbook.get();
    const followsSelection = scope === "selection" || scope === "sheet";
    const stops = [
      open.kind === "open" && followsSelection ? open.workbook.onSelection(askSoon) : null,
      cells.subscribe(askSoon),
      engine.subscribe(({ busy }) => {
        if (wasBusy && !busy) askSoon();
        wasBusy = busy;
      }),
    ];
    return () => {
      clock.clearTimeout(timer);
      for (const stop of stops) stop?.();
    };
  }, [cells, clock, engine, scope, workbook]);

  if (error !== null) return <p class="price">The cost can't be estimated: {error.message}</p>;
  if (quote?.scope !== scope) return <p class="price">Counting…</p>;
  const { limit } = engine.progress().quota.search;
  const { cost, notes } = costWords(quote, { limit, nowMs: clock.now(), freshnessMinutes });
  return (
    <div class="price">
      <p>{cost}</p>
      {notes.length === 0 ? null : (
        <Fold title="More about the cost">
          {() =>
            notes.map((note) => (
              <p key={note} class="hint">
                {note}
              </p>
            ))
          }
        </Fold>
      )}
    </div>
  );
}
