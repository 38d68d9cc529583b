/**
 * The work under way, a refresh or a calculation: cells done and requested, requests sent and saved, and time left. Then it
 * shows how the last refresh ended. For screen readers, the live text changes only at the start, at each quarter and at the
 * end.
 */
import type { Clock } from "../../engine/clock";
import type { Progress } from "../../engine/types";
import { cellAddresses } from "../../workbook/addresses";
import type { RefreshState } from "../../workbook/refresh/refresh";
import { Bar, Button, Message } from "../parts/parts";
import { pauseWords, timeLeftWords } from "./time-left";
import { useTick } from "../parts/use-source";
import { count, counted, duration, timeOfDay } from "../parts/words";

export function ProgressPanel({
  progress,
  refresh,
  clock,
  onCancel,
}: {
  progress: Progress;
  refresh: RefreshState;
  clock: Clock;
  /** Cancels a calculation; null during a refresh, which has its own button. */
  onCancel: (() => void) | null;
}) {
  const work = workOf(progress, refresh);
  // While requests are paused, nothing else redraws the time left.
  useTick(clock, { everyMs: 1000, active: work !== null });
  const nowMs = clock.now();
  // Before a refresh knows its cells, only its first request is under way.
  const timeLeft =
    work && progress.busy
      ? (pauseWords(progress.quota, nowMs) ??
        (work.all === 0 ? null : timeLeftWords(progress, refresh, nowMs)))
      : null;
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
                {counted(progress.calls.sent, "request")}, {count(progress.calls.savedRequests)} saved by
                freshness and sharing
              </span>
            ) : null}
            {timeLeft === null ? null : <span>{timeLeft}</span>}
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
        <Ending refresh={refresh} progress={progress} nowMs={nowMs} />
        <Lost refresh={refresh} />
      </div>
    </div>
  );
}

interface Work {
  readonly done: number;
  /** 0 while the total is unknown: the engine may do other work, or wait for the refresh's first request. */
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
  const { requested, done, failed } = progress.cells;
  return {
    done: done + failed,
    all: requested,
    words: `${count(done + failed)} of ${counted(requested, "cell")}`,
  };
}

function spokenWords({ done, all, words }: Work): string {
  if (all === 0) return words;
  const quarter = Math.floor((done / all) * 4) * 25;
  return `${quarter} percent of ${counted(all, "cell")}`;
}

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
      Excel had lost the results of {counted(again, "cell")} and showed #BUSY!. INV had them calculated again.
    </Message>
  );
}

function Ending(props: { refresh: RefreshState; progress: Progress; nowMs: number }) {
  const { refresh, progress, nowMs } = props;
  const { phase, cells, settled, error, answered, unanswered, unansweredCells } = refresh;
  const { startedAtMs, endedAtMs } = refresh;
  if (endedAtMs === null) return null;
  const at = timeOfDay(endedAtMs, nowMs);
  const took = startedAtMs === null ? "" : ` in ${duration(endedAtMs - startedAtMs)}`;
  if (phase === "done" && cells === 0) {
    return <Message intent="info">{at}: nothing to refresh.</Message>;
  }
  if (phase === "done") {
    const missed = refresh.missed?.length ?? 0;
    return missed > 0 ? (
      <Message intent="warning">
        {at}: {counted(cells - missed, "cell")} refreshed{took}. The workbook didn't calculate {count(missed)}
        . Refresh again, or recalculate them in the sheet.
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
        {at}: cancelled after {count(settled)} of {counted(cells, "cell")}. New values stay. Resume requests
        the rest.
      </Message>
    );
  }
  if (phase === "failed") {
    // The Inspect tab lists cells; a grid is one cell with many values.
    const inCells = unansweredCells === unanswered ? "" : `, in ${counted(unansweredCells, "cell")}`;
    return (
      <Message intent="error">
        {at}:{" "}
        {unanswered === 0
          ? ""
          : `${count(answered)} of ${count(answered + unanswered)} values updated. ${count(unanswered)} not answered${inCells}: `}
        {error?.message ?? "The refresh failed."} {settled === 0 ? "Every cell keeps its number." : ""}
      </Message>
    );
  }
  return null;
}
