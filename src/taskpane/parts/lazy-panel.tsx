/**
 * A panel that comes as a chunk of its own when it is first in view: a tab, or a view within one. A chunk that
 * cannot be had (the server was restarted, no network) is said, and asked for again by a button: a panel is
 * never just empty.
 */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, Message } from "./parts";

/** The panel that `load` brings; it is loaded once for all. A failed load is tried again when asked for. */
export function lazyPanel<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;

  return function LazyPanel(props: Props) {
    const [state, setState] = useState<"loading" | "there" | "failed">(loaded ? "there" : "loading");
    const [attempt, setAttempt] = useState(1);

    useEffect(() => {
      let current = true;
      load().then(
        (panel) => {
          loaded = panel;
          if (current) setState("there");
        },
        () => current && setState("failed"),
      );
      return () => {
        current = false;
      };
    }, [attempt]);

    function tryAgain(): void {
      setState("loading");
      setAttempt(attempt + 1);
    }

    if (loaded) {
      const Panel = loaded;
      return <Panel {...props} />;
    }
    if (state !== "failed") return <p role="status">Loading…</p>;
    return (
      <div role="alert">
        <Message intent="error" actions={<Button onClick={tryAgain}>Try again</Button>}>
          This part could not be loaded. The server may be out of reach.
        </Message>
      </div>
    );
  };
}
