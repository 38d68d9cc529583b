/**
 * The question before a fill-down spends more of the company's quota than may go unasked: its price, and the
 * two answers. It counts down to the moment from which the cells go on by themselves.
 */
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { Button, Message } from "../parts/parts";
import { useTick } from "../parts/use-source";
import { count, counted, duration, estimate, quotaWords, timeOfDay } from "../parts/words";

interface SpendingQuestionProps {
  engine: Engine;
  clock: Clock;
}

/** Draws nothing while there is nothing to ask; its owner draws it at each of the engine's notices. */
export function SpendingMessage({ engine, clock }: SpendingQuestionProps) {
  const question = engine.spendingQuestion();
  useTick(clock, { everyMs: 1000, active: question !== null });
  if (question === null) return null;
  const { calls, durationMs, goesOnAtMs } = question;
  const nowMs = clock.now();
  const { waiting } = engine.progress().cells;
  const price = `${counted(waiting, "cell")}: ${counted(calls.search + calls.events, "call")}`;
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
        {price}, {estimate(durationMs)}, {quotaWords(question.quotaShare)}.
      </strong>{" "}
      {calls.events > 0
        ? `At least: ${count(calls.events)} of them are for events, which may have pages. `
        : ""}
      {question.isAtMost ? "What colleagues have just fetched costs no call. " : ""}
      Your company shares this quota. {""}
      {goesOnAtMs > nowMs
        ? `Without an answer INV goes on at ${timeOfDay(goesOnAtMs, nowMs)} (in ${duration(goesOnAtMs - nowMs)}), leaving half of the quota to others.`
        : "INV goes on slowly, leaving half of the quota to others."}
    </Message>
  );
}
