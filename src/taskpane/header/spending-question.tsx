/**
 * The question before a fill-down spends more of the company's quota than may go unasked: its price, and the
 * two answers. It counts down to the moment from which the cells go on by themselves.
 */
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { Button, Message } from "../parts/parts";
import { useTick } from "../parts/use-source";
import { counted, duration, requestWords, timeOfDay, untilWords } from "../parts/words";

interface SpendingQuestionProps {
  engine: Engine;
  clock: Clock;
}

/** Draws nothing while there is nothing to ask; its owner draws it at each of the engine's notices. */
export function SpendingMessage({ engine, clock }: SpendingQuestionProps) {
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
      actions={
        <>
          <Button quiet onClick={() => engine.approveSpending()}>
            Fetch all
          </Button>
          <Button quiet onClick={() => engine.cancel()}>
            Stop
          </Button>
        </>
      }
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
