/** Says that something is loading, or why it couldn't be loaded, with a button to try again. */
import type { InvError } from "../../domain/errors";
import { type Actions, Message } from "./parts";
import type { Loaded } from "./use-observable";

/** Empty once the data is loaded. */
export function LoadStatus(props: { loaded: Loaded<unknown>; busyText?: string }) {
  const { loaded, busyText = "Loading…" } = props;
  if (loaded.error === null) return loaded.value === null ? <p role="status">{busyText}</p> : null;
  return <Failure error={loaded.error} actions={{ "Try again": loaded.again }} />;
}

/** Announces the error at once. Empty without one. */
export function Failure(props: { error: Pick<InvError, "message"> | null; actions?: Actions }) {
  const { error, actions = {} } = props;
  if (error === null) return null;
  return (
    <div role="alert">
      <Message intent="error" actions={actions}>
        {error.message}
      </Message>
    </div>
  );
}
