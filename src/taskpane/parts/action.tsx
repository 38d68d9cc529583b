/** Something a button does, one at a time, and how it ended, in words beside it. */
import { useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { Message } from "./parts";
import { useAlive } from "./use-source";

export interface Action {
  readonly told: { readonly intent: "success" | "error"; readonly text: string } | null;
  /** Does nothing while the last one is under way. */
  run(work: () => Promise<string>): void;
}

/** One thing at a time, and how it ended, in words. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<Action["told"]>(null);
  const alive = useAlive();
  return {
    told,
    run(work) {
      if (busy) return;
      setBusy(true);
      setTold(null);
      void work()
        .then(
          (text): Action["told"] => ({ intent: "success", text }),
          (error: unknown): Action["told"] => ({ intent: "error", text: toInvError(error).message }),
        )
        .then((result) => {
          if (!alive.current) return;
          setBusy(false);
          setTold(result);
        });
    },
  };
}

export function Told({ action }: { action: Action }) {
  return (
    <div role="status">
      {action.told ? <Message intent={action.told.intent}>{action.told.text}</Message> : null}
    </div>
  );
}
