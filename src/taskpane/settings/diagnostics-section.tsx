/** What support needs to know, copied to the clipboard, or shown as text where the clipboard is closed. */
import { useState } from "preact/hooks";
import { Button, Message } from "../parts/parts";
import { useAlive } from "../parts/use-source";
import type { PaneServices } from "../services";
import { diagnostics } from "./diagnostics";

export function DiagnosticsSection({ services }: { services: PaneServices }) {
  const [result, setResult] = useState<"none" | "copied" | { text: string }>("none");
  const alive = useAlive();

  async function copy(): Promise<void> {
    const text = diagnostics(services);
    const copied = await services.copyText(text).then(
      () => true,
      () => false,
    );
    if (alive.current) setResult(copied ? "copied" : { text });
  }

  return (
    <>
      <p>
        Version, environment, settings and the last problems with their trace ids. Never a secret or a token.
      </p>
      <div class="buttons">
        <Button onClick={() => void copy()}>Copy diagnostics</Button>
      </div>
      <div role="status">
        {result === "copied" ? <Message intent="success">Copied. Paste it into your message.</Message> : null}
        {typeof result === "object" ? (
          <Message intent="info">
            The clipboard is closed to this page. Select the text below and copy it.
          </Message>
        ) : null}
      </div>
      {typeof result === "object" ? (
        <textarea class="control" aria-label="Diagnostics" readOnly rows={8} value={result.text} />
      ) : null}
    </>
  );
}
