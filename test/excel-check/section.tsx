/**
 * The section "Check this Excel": it builds the sheets with which an Excel checks itself, runs what only the add-in can
 * try, and shows the outcome as text. A development page has it below the pane.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { toInvError } from "../../src/domain/errors";
import { pause } from "../../src/engine/clock";
import { checkExcel, type CheckStep, removeCheck } from "./check-book";
import type { ExcelProbes } from "./probes";
import { ProgressBar, Button, Message, Section } from "../../src/taskpane/parts/parts";
import { useObservable } from "../../src/taskpane/parts/use-observable";
import type { PaneServices } from "../../src/taskpane/services";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "running"; readonly step: CheckStep | null }
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "message"; readonly text: string };

interface CheckExcelProps {
  readonly services: PaneServices;
  /** Null in the browser workbook. */
  readonly probes: ExcelProbes | null;
}

export function CheckExcelSection({ services, probes }: CheckExcelProps) {
  const workbook = useObservable(services.workbook);
  const [state, setState] = useState<State>({ kind: "idle" });
  const [copied, setCopied] = useState(false);
  const alive = useRef(true);
  useEffect(() => () => void (alive.current = false), []);
  if (workbook.kind !== "open") return null;
  const { workbook: open } = workbook;

  async function act(work: () => Promise<State>): Promise<void> {
    setCopied(false);
    setState({ kind: "running", step: null });
    const next = await work().catch((error: unknown): State => ({
      kind: "message",
      text: toInvError(error).message,
    }));
    if (alive.current) setState(next);
  }

  function run(): Promise<void> {
    return act(async () => {
      const { clock, host, version, connection } = services;
      const environment = connection.get().environment?.id ?? "no environment";
      const calls = countCalls(services);
      const text = await checkExcel({
        workbook: open,
        probes,
        callsSent: calls.sent,
        pause: (ms) => pause(clock, ms),
        about: `${version}, ${host.description}, ${environment}`,
        nowMs: clock.now(),
        onStep: (step) => {
          if (alive.current) setState({ kind: "running", step });
        },
        isStopped: () => !alive.current,
      }).finally(calls.stop);
      return { kind: "done", text };
    });
  }

  function remove(): Promise<void> {
    return act(async () => {
      await removeCheck(open);
      return { kind: "message", text: "Check sheets removed." };
    });
  }

  async function copy(text: string): Promise<void> {
    const done = await services.copyText(text).then(
      () => true,
      () => false,
    );
    if (alive.current) setCopied(done);
  }

  const running = state.kind === "running";
  return (
    <Section title="Check this Excel">
      <p>
        Adds sheets that test what INV assumes about Excel, with the demo's stock. It takes about a minute;
        don't change the workbook meanwhile.
      </p>
      <div class="buttons">
        <Button primary disabled={running} onClick={() => void run()}>
          Check this Excel
        </Button>
        <Button disabled={running} onClick={() => void remove()}>
          Remove the check's sheets
        </Button>
      </div>
      {running ? (
        <div class="progress">
          <ProgressBar
            label="Checks done"
            max={state.step?.of ?? 1}
            {...(state.step ? { value: state.step.number - 1 } : {})}
          />
          <p>
            {state.step === null
              ? "Building…"
              : `${state.step.number} of ${state.step.of}: ${state.step.fact}`}
          </p>
        </div>
      ) : null}
      <div class="messages" role="status">
        {state.kind === "message" ? <Message intent="info">{state.text}</Message> : null}
        {state.kind === "done" ? (
          <Message
            intent={/^DIFFERS/m.test(state.text) ? "warning" : "success"}
            actions={{ [copied ? "Copied" : "Copy as text"]: () => void copy(state.text) }}
          >
            {state.text.split("\n")[1]}. The sheet shows the details.
          </Message>
        ) : null}
      </div>
      {state.kind === "done" ? (
        <textarea class="control" aria-label="Result of the check" readOnly rows={8} value={state.text} />
      ) : null}
    </Section>
  );
}

/** Counts requests since the start. The engine's own count restarts each time the engine was idle. */
function countCalls({ engine }: PaneServices) {
  let before = 0;
  let now = engine.progress().calls.sent;
  const start = now;
  const stop = engine.subscribe(({ calls }) => {
    if (calls.sent < now) before += now;
    now = calls.sent;
  });
  return { sent: () => before + now - start, stop };
}
