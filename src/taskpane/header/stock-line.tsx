/**
 * The line below the band, on every tab: how old the stock shown is, that a refresh failed, when the next
 * one comes, and that calls are switched off. It says nothing where there is nothing to say. Where values are
 * past their freshness, it leads to them.
 */
import type { PaneServices } from "../services";
import { useSource } from "../parts/use-source";
import { stockWords, whichValues } from "./stock-words";

export function StockLine({ services }: { services: PaneServices }) {
  const now = useSource(services.age);
  const { text, isWarning } = stockWords(now, services.clock.now());
  if (text === "") return null;
  return (
    <p class={isWarning ? "stock stock-old" : "stock"}>
      {now.isOld ? (
        <button type="button" class="link" title={whichValues} onClick={services.commands.showOldValues}>
          {text}
        </button>
      ) : (
        text
      )}
    </p>
  );
}
