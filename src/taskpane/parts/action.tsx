/**
 * Work that a person starts, one run at a time: what it does now, and how it ended, in words beside its buttons. Invariant: a
 * cancelled run, and a run whose component is gone, show nothing more.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { type InvError, toInvError } from "../../domain/errors";
import { type ActionsProps, Buttons, Message } from "./parts";

/** What to say at the end, only as long as it holds. */
export interface PassingText {
  readonly text: string;
  /** Calls the listener when the text no longer holds. Returns the unsubscribe function. */
  onPassed(listener: () => void): () => void;
}

/** Resolves with what to say at the end; null for nothing. */
type Work = (signal: AbortSignal) => Promise<string | PassingText | null>;

interface Result {
  readonly text: string;
  readonly error: InvError | null;
  readonly onPassed?: PassingText["onPassed"];
}

export interface Action {
  /** What it does now, `Connecting…`; null while nothing runs. */
  readonly busyText: string | null;
  /** How the last run ended; null if it has nothing to say. `error` is null if it succeeded. */
  readonly result: Result | null;
  /** Does nothing while the last run continues. */
  run(work: Work, busyText?: string): void;
  /** Removes the result. */
  clear(): void;
  /** Aborts the run's signal, and removes the result. */
  cancel(): void;
}

export function useAction(): Action {
  const [busyText, setBusyText] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const running = useRef<AbortController | null>(null);

  function leave(): void {
    running.current?.abort();
    running.current = null;
  }
  useEffect(() => leave, []);
  useEffect(() => result?.onPassed?.(() => setResult(null)), [result]);

  return {
    busyText,
    result,
    run(work, text = "Working…") {
      if (running.current !== null) return;
      const control = new AbortController();
      running.current = control;
      setBusyText(text);
      setResult(null);
      function end(ended: Result | null): void {
        if (running.current !== control) return;
        running.current = null;
        setBusyText(null);
        setResult(ended);
      }
      // Work may fail before it returns a promise.
      (async () => work(control.signal))().then(
        (ending) => {
          const said = typeof ending === "string" ? { text: ending } : ending;
          end(said && { ...said, error: null });
        },
        (reason: unknown) => {
          const error = toInvError(reason);
          end(error.code === "cancelled" ? null : { text: error.message, error });
        },
      );
    },
    clear: () => setResult(null),
    cancel() {
      leave();
      setBusyText(null);
      setResult(null);
    },
  };
}

export function ActionStatus({
  action,
  actions = {},
}: {
  action: Action;
  actions?: ActionsProps["actions"];
}) {
  const { busyText, result } = action;
  return (
    <div role="status">
      {busyText === null ? null : <p>{busyText}</p>}
      {result === null ? null : (
        <Message intent={result.error === null ? "success" : "error"} actions={actions}>
          {result.text}
        </Message>
      )}
    </div>
  );
}

/** Buttons that start work, and its status below them. Only one of the buttons works at a time. */
export function WorkButtons({
  actions,
  ...how
}: Omit<ActionsProps, "actions" | "isBusy"> & { actions: Readonly<Record<string, Work | null>> }) {
  const action = useAction();
  const starts = Object.entries(actions).map(
    ([label, work]) => [label, work && (() => action.run(work))] as const,
  );
  return (
    <>
      <Buttons {...how} isBusy={action.busyText !== null} actions={Object.fromEntries(starts)} />
      <ActionStatus action={action} />
    </>
  );
}
