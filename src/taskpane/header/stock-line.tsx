/**
 * How old the stock is, beside the state: that a refresh failed, when the next one is due, and that requests are
 * switched off. Where values are past their freshness, it is a button that shows which.
 */
import type { PaneServices } from "../services";
import { useSource } from "../parts/use-source";
import { stockWords, whichValues } from "./stock-words";

export function StockAgeText({ services }: { services: PaneServices }) {
  const age = useSource(services.age);
  const { text, isWarning } = stockWords(age, services.clock.now());
  if (text === "") return null;
  return (
    <span class={isWarning ? "stock stock-old" : "stock"}>
      {age.isOld ? (
        <button type="button" class="link" title={whichValues} onClick={services.commands.showOldValues}>
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  );
}
