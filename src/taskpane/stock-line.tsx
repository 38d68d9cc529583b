/**
 * The line below the band, on every tab: how old the stock shown is, that a refresh failed, when the next
 * one comes, and that calls are switched off. It says nothing where there is nothing to say.
 */
import type { Source } from "../domain/source";
import type { Clock } from "../engine/clock";
import type { StockAge } from "../workbook/refresh/stock-age";
import { useSource } from "./use-source";
import { stockWords } from "./stock-words";

export function StockLine({ age, clock }: { age: Source<StockAge>; clock: Clock }) {
  const now = useSource(age);
  const { text, isWarning } = stockWords(now, clock.now());
  if (text === "") return null;
  return <p class={isWarning ? "stock stock-old" : "stock"}>{text}</p>;
}
