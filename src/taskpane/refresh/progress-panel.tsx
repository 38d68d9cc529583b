/**
 * What is going on: a bar with cells done of cells asked, calls made and saved, time left, and how the
 * last refresh ended. Calculations that the user started by typing are shown the same way. The spoken
 * line changes only at the start, at each quarter and at the end, so that a screen reader is not
 * flooded.
 */
import type { Clock } from "../../engine/clock";
import type { Progress } from "../../engine/types";
import { cellAddresses } from "../../workbook/addresses";
import type { RefreshState } from "../../workbook/refresh/refresh";
import { Bar, Button, Message } from "../parts/parts";
import { pauseWords, timeLeftWords } from "./time-left";
import { useTick } from "../parts/use-source";
import { count, counted, duration, timeOfDay } from "../parts/words";

interface ProgressPanelProps {
  progress: Progress;
  refresh: RefreshState;
  clock: Clock;
  /** Cancels what is not a refresh; null where the refresh's own button does it. */
  onCancel: (() => void) | null;
}

export function ProgressPanel({ progress, refresh, clock, onCancel }: ProgressPanelProps) {
  const work = workOf(progress, refresh);
  // While calls are paused nothing else would draw the time to come.
  useTick(clock, { everyMs: 1000, active: work !== null });
  const left = work && progress.busy ? leftWords(work, { progress, refresh, nowMs: clock.now() }) : null;
  return (
    <div class="progress">
      {work ? (
        <>
          <Bar
            label="Cells done"
            max={Math.max(1, work.all)}
            {...(work.all > 0 ? { value: work.done } : {})}
          />
          <p class="figures">
            <strong>{work.words}</strong>
            {progress.busy && work.all > 0 ? (
              <span>
                {counted(progress.calls.sent, "call")}, {count(progress.calls.savedRequests)} saved by
                freshness and sharing
              </span>
            ) : null}
            {left === null ? null : <span>{left}</span>}
          </p>
          {onCancel ? (
            <Button quiet onClick={onCancel}>
              Cancel
            </Button>
          ) : null}
        </>
      ) : null}
      <p class="spoken" role="status">
        {work ? spokenWords(work) : ""}
      </p>
      <div role="status">
        <Ending refresh={refresh} progress={progress} nowMs={clock.now()} />
        <Lost refresh={refresh} />
      </div>
    </div>
  );
}

interface Work {
  readonly done: number;
  /** 0 while it is not known yet: then what the engine does is other work, or the refresh's first call. */
  readonly all: number;
  readonly words: string;
}

function workOf(progress: Progress, refresh: RefreshState): Work | null {
  if (refresh.phase === "finding") return { done: 0, all: 0, words: "Finding INV formulas…" };
  if (refresh.phase === "asking") return { done: 0, all: 0, words: "Asking the service…" };
  if (refresh.phase === "running") {
    const { settled, cells } = refresh;
    return { done: settled, all: cells, words: `${count(settled)} of ${counted(cells, "cell")}` };
  }
  if (!progress.busy) return null;
  const { asked, done, failed } = progress.cells;
  return { done: done + failed, all: asked, words: `${count(done + failed)} of ${counted(asked, "cell")}` };
}

function spokenWords({ done, all, words }: Work): string {
  if (all === 0) return words;
  const quarter = Math.floor((done / all) * 4) * 25;
  return `${quarter} percent of ${counted(all, "cell")}`;
}

function leftWords(work: Work, { progress, refresh, nowMs }: LeftFacts): string | null {
  const pause = pauseWords(progress.quota, nowMs);
  if (pause !== null) return pause;
  // Of a refresh only its first call is under way; the pane has told the price of the whole.
  return work.all === 0 ? null : timeLeftWords(progress, refresh, nowMs);
}

interface LeftFacts {
  readonly progress: Progress;
  readonly refresh: RefreshState;
  readonly nowMs: number;
}

/** Excel has lost results that INV has: an ending of its own beside how the refresh ended. */
function Lost({ refresh }: { refresh: RefreshState }) {
  const { again, stuck } = refresh.lost ?? { again: 0, stuck: [] };
  const [first] = stuck;
  if (again === 0) return null;
  return first !== undefined ? (
    <Message intent="warning">
      Excel keeps showing #BUSY! in {counted(stuck.length, "cell")}, from {cellAddresses(first)[0]} on, though
      INV has the values. Save the workbook, close it and open it again.
    </Message>
  ) : (
    <Message intent="info">
      Excel had lost the results of {counted(again, "cell")} and showed #BUSY!; INV had them calculated again.
    </Message>
  );
}

/** `125 of 871 values updated. 746 not answered: ` before the reason. */
function answerWords(answered: number, unanswered: number): string {
  const all = count(answered + unanswered);
  return `${count(answered)} of ${all} values updated. ${count(unanswered)} not answered: `;
}

interface EndingProps {
  refresh: RefreshState;
  progress: Progress;
  nowMs: number;
}

function Ending({ refresh, progress, nowMs }: EndingProps) {
  const { phase, cells, settled, error, answered, unanswered, startedAtMs, endedAtMs } = refresh;
  if (endedAtMs === null) return null;
  const at = timeOfDay(endedAtMs, nowMs);
  const took = startedAtMs === null ? "" : ` in ${duration(endedAtMs - startedAtMs)}`;
  if (phase === "done" && cells === 0) {
    return <Message intent="info">{at}: there was nothing to refresh.</Message>;
  }
  if (phase === "done") {
    const missed = refresh.missed?.length ?? 0;
    return missed > 0 ? (
      <Message intent="warning">
        {at}: {counted(cells - missed, "cell")} refreshed{took}; {count(missed)} not calculated to an end by
        Excel. Refresh again, or recalculate them in the sheet.
      </Message>
    ) : (
      <Message intent="success">
        {at}: {counted(cells, "cell")} refreshed{took}.
      </Message>
    );
  }
  if (phase === "cancelled" && !progress.busy) {
    return (
      <Message intent="info">
        {at}: cancelled after {count(settled)} of {counted(cells, "cell")}. What has come stays; Resume asks
        for the rest.
      </Message>
    );
  }
  if (phase === "failed") {
    return (
      <Message intent="error">
        {at}: {unanswered === 0 ? "" : answerWords(answered, unanswered)}
        {error?.message ?? "The refresh failed."} {settled === 0 ? "Every cell keeps its number." : ""}
      </Message>
    );
  }
  return null;
}
