/** Says that something is loading, or why it couldn't be loaded, with a button to try again. Empty once it is loaded. */
import { Message } from "./parts";
import type { Loaded } from "./use-source";

export function LoadStatus(props: {
  loaded: Loaded<unknown>;
  busyText?: string;
  /** Replaces the error's own message. */
  failure?: string;
}) {
  const { loaded, busyText = "Loading…", failure } = props;
  if (loaded.error === null) return loaded.value === null ? <p role="status">{busyText}</p> : null;
  return (
    <div role="alert">
      <Message intent="error" actions={{ "Try again": loaded.again }}>
        {failure ?? loaded.error.message}
      </Message>
    </div>
  );
}
