/**
 * The work under way, a refresh or a calculation: cells done and requested, requests sent and saved, and time left. Then it
 * shows how the last refresh ended. For screen readers, the live text changes only at the start, at each quarter and at the
 * end.
 */
import type { Clock } from "../../engine/clock";
import type { Progress } from "../../engine/types";
import type { RefreshState } from "../../workbook/refresh/refresh";
import { failureWords, uncalledWords } from "./change-words";
import { ProgressBar, Message } from "../parts/parts";
import { pauseWords, timeLeftWords } from "./time-left";
import { useTick } from "../parts/use-observable";
import { count, counted } from "../../domain/number-words";
import { duration, timeOfDay } from "../parts/words";

export function ProgressPanel({
  progress,
  refresh,
  waiting,
  clock,
}: {
  progress: Progress;
  refresh: RefreshState;
  /** Number of cells without a result. */
  waiting: number;
  clock: Clock;
}) {
  const work = workOf(progress, refresh, waiting);
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
          <ProgressBar
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
        </>
      ) : null}
      <p class="spoken" role="status">
        {work ? spokenWords(work) : ""}
      </p>
      <div role="status">
        <Ending refresh={refresh} progress={progress} nowMs={nowMs} />
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

function workOf(progress: Progress, refresh: RefreshState, waiting: number): Work | null {
  if (refresh.phase === "finding") return { done: 0, all: 0, words: "Finding INV formulas…" };
  if (refresh.phase === "running") {
    const { refreshed, cells } = refresh;
    // Cells keep their numbers until the first answers are there.
    if (refreshed === 0) return { done: 0, all: 0, words: "Asking the service…" };
    return { done: refreshed, all: cells, words: `${count(refreshed)} of ${counted(cells, "cell")}` };
  }
  if (!progress.busy) return null;
  const { requested, done, failed } = progress.cells;
  // The engine counts the values of a grid, so its numbers only move the bar.
  const words = waiting === 0 ? "Asking the service…" : `${counted(waiting, "cell")} waiting`;
  return { done: done + failed, all: requested, words };
}

function spokenWords({ done, all, words }: Work): string {
  return all === 0 ? words : `${Math.floor((done / all) * 4) * 25} percent done`;
}

function Ending(props: { refresh: RefreshState; progress: Progress; nowMs: number }) {
  const { refresh, progress, nowMs } = props;
  const { phase, cells, refreshed, startedAtMs, endedAtMs } = refresh;
  if (endedAtMs === null) return null;
  const at = timeOfDay(endedAtMs, nowMs);
  const took = startedAtMs === null ? "" : ` in ${duration(endedAtMs - startedAtMs)}`;
  if (phase === "done" && cells === 0) {
    return <Message intent="info">{at}: nothing to refresh.</Message>;
  }
  if (phase === "done") {
    return (
      <Message intent="success">
        {at}: {counted(refreshed, "cell")} refreshed{took}.{uncalledWords(refresh)}
      </Message>
    );
  }
  if (phase === "cancelled" && !progress.busy) {
    return (
      <Message intent="info">
        {at}: cancelled after {count(refreshed)} of {counted(cells, "cell")}. New values stay, and the other
        cells keep theirs.
      </Message>
    );
  }
  if (phase === "failed") {
    return (
      <Message intent="error">
        {at}: {failureWords(refresh)}
      </Message>
    );
  }
  return null;
}
