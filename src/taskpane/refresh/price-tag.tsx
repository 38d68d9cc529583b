/**
 * The price of a refresh, before the click. Asking for it reads the workbook's formulas, so it is asked
 * when the scope or the selection changes, and when INV cells have come, gone or calculated, a moment after
 * the last of them; an answer that has been overtaken is dropped.
 */
import { useEffect, useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import type { Quote, Refresher, RefreshScope } from "../../workbook/refresh/refresh";
import type { PaneServices } from "../services";
import { costWords } from "../parts/words";

/** Selecting by mouse tells of every cell passed; the last one counts. */
const settleMs = 300;

export function PriceTag({
  services,
  refresher,
  scope,
}: {
  services: PaneServices;
  refresher: Refresher;
  scope: RefreshScope;
}) {
  const [quote, setQuote] = useState<Quote | { failed: string } | null>(null);
  const { cells, clock, engine, workbook } = services;

  useEffect(() => {
    let current = true;
    let timer: unknown = null;
    let asked = 0;
    let wasBusy = engine.progress().busy;

    async function ask(): Promise<void> {
      const own = (asked += 1);
      const isTold = () => current && own === asked;
      try {
        const next = await refresher.quote(scope);
        if (isTold()) setQuote(next);
      } catch (error) {
        if (isTold()) setQuote({ failed: toInvError(error).message });
      }
    }
    function askSoon(): void {
      clock.clearTimeout(timer);
      timer = clock.setTimeout(() => void ask(), settleMs);
    }

    setQuote(null);
    void ask();
    const open = workbook.get();
    const stopSelection =
      open.kind === "open" && (scope === "selection" || scope === "sheet")
        ? open.workbook.onSelection(askSoon)
        : null;
    const stopCells = cells.subscribe(askSoon);
    const stopEngine = engine.subscribe(({ busy }) => {
      if (wasBusy && !busy) askSoon();
      wasBusy = busy;
    });
    return () => {
      current = false;
      clock.clearTimeout(timer);
      stopSelection?.();
      stopCells();
      stopEngine();
    };
  }, [cells, clock, engine, refresher, scope, workbook]);

  if (quote === null) return <p class="price">Counting…</p>;
  if ("failed" in quote) return <p class="price">The cost can't be estimated: {quote.failed}</p>;
  const { limit } = engine.progress().quota.search;
  const { cost, notes } = costWords(quote, { limit, nowMs: clock.now() });
  return (
    <div class="price">
      <p>{cost}</p>
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </div>
  );
}
