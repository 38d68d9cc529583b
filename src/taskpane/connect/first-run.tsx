/**
 * The first thing a newcomer sees: one button that connects to the demo and fills a sample sheet. It is
 * offered only where it cannot mix made-up numbers into somebody's work.
 */
import { useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { Button, Message, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";

interface FirstRunProps {
  services: PaneServices;
  /** Its own cells end that: a sheet that is being filled is filled to its end. */
  offered: boolean;
  onStart: () => void;
  onDone: () => void;
}

export function FirstRun({ services, offered, onStart, onDone }: FirstRunProps) {
  const [state, setState] = useState<"offered" | "working" | { failed: string }>("offered");
  const alive = useAlive();

  async function start(): Promise<void> {
    onStart();
    setState("working");
    try {
      await services.tryDemo();
      if (alive.current) onDone();
    } catch (error) {
      if (alive.current) setState({ failed: toInvError(error).message });
    }
  }

  if (!offered && state !== "working") return null;
  return (
    <Section title="New here?">
      <p>
        See INV at work without credentials: a sample sheet of made-up stores and items, filled with live
        formulas in a new sheet of this workbook.
      </p>
      <div class="buttons">
        <Button primary disabled={state === "working"} onClick={() => void start()}>
          {state === "working" ? "Filling the sheet…" : "Try with demo data"}
        </Button>
      </div>
      <div role="status">
        {typeof state === "object" ? <Message intent="error">{state.failed}</Message> : null}
      </div>
    </Section>
  );
}
