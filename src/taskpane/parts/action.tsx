/** Work that a button starts, one run at a time, and its result, in words beside the button. */
import { useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { Message } from "./parts";
import { useAlive } from "./use-source";

export interface Action {
  readonly isBusy: boolean;
  /** The result of the last run; null if it has nothing to say. */
  readonly result: { readonly intent: "success" | "error"; readonly text: string } | null;
  /** Does nothing while the last run continues. If the work fails, the result is the error's message. */
  run(work: () => Promise<string | null>): void;
  clear(): void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Action["result"]>(null);
  const alive = useAlive();
  return {
    isBusy,
    result,
    run(work) {
      if (isBusy) return;
      setBusy(true);
      setResult(null);
      void work()
        .then(
          (text): Action["result"] => (text === null ? null : { intent: "success", text }),
          (error: unknown): Action["result"] => ({ intent: "error", text: toInvError(error).message }),
        )
        .then((ended) => {
          if (!alive.current) return;
          setBusy(false);
          setResult(ended);
        });
    },
    clear: () => setResult(null),
  };
}

export function ActionStatus({ action, busyText }: { action: Action; busyText?: string }) {
  return (
    <div role="status">
      {action.isBusy && busyText !== undefined ? <p>{busyText}</p> : null}
      {action.result ? <Message intent={action.result.intent}>{action.result.text}</Message> : null}
    </div>
  );
}
