/**
 * Asks before a fill-down uses more of the company's quota than the settings allow. Shows the cost, two answers, and a
 * countdown to the moment when INV continues without an answer.
 */
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { Message } from "../parts/parts";
import { useTick } from "../parts/use-observable";
import { counted } from "../../domain/number-words";
import { duration, requestWords, timeOfDay, untilWords } from "../parts/words";

/** The owner must redraw this at every notification of the engine. */
export function SpendingMessage({ engine, clock }: { engine: Engine; clock: Clock }) {
  const question = engine.spendingQuestion();
  useTick(clock, { everyMs: 1000, active: question !== null });
  if (question === null) return null;
  const { calls, durationMs, continuesAtMs } = question;
  const nowMs = clock.now();
  const { cells, quota } = engine.progress();
  const price = { searchCalls: calls.search, eventCallsAtLeast: calls.events };
  return (
    <Message
      intent="warning"
      actions={{ "Fetch all": () => engine.approveSpending(), Stop: () => engine.cancel() }}
    >
      <strong>
        {counted(cells.waiting, "cell")} {cells.waiting === 1 ? "uses" : "use"}{" "}
        {requestWords(price, quota.search.limit)}, {untilWords(durationMs, nowMs)}.
      </strong>{" "}
      {question.isAtMost ? "What colleagues have just fetched costs no request. " : ""}
      Your company shares this quota.{" "}
      {continuesAtMs > nowMs
        ? `If you don't choose, INV continues at ${timeOfDay(continuesAtMs, nowMs)} (in ${duration(continuesAtMs - nowMs)}) and uses at most half of the quota.`
        : "INV continues slowly and uses at most half of the quota."}
    </Message>
  );
}
