/**
 * A panel that comes as a chunk of its own when its tab is first in view. A chunk that cannot be had (the
 * server was restarted, no network) is said, and asked for again by a button: a tab is never just empty.
 */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, Message } from "./parts";
import type { TabProps } from "./tab";

type Panel = ComponentType<TabProps>;

/** The panel that `load` brings; it is loaded once for all. A failed load is tried again when asked for. */
export function lazyPanel(load: () => Promise<Panel>): Panel {
  let loaded: Panel | null = null;

  return function LazyPanel(props: TabProps) {
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
          This tab could not be loaded. The server may be out of reach.
        </Message>
      </div>
    );
  };
}
