/**
 * What a person must know on any tab: the question about remembered credentials, faults that stop requests, cells that still show values
 * of an earlier environment, the workbook's way to count days, and what this Excel lacks. Each notice says what to do and offers it.
 */
import { lazyPanel } from "../parts/lazy-panel";
import { counted } from "../../domain/number-words";
import { unawaited } from "../../domain/unawaited";
import { Message } from "../parts/parts";
import type { Fault } from "../../engine/types";
import type { TabProps } from "../parts/tab";
import type { PaneServices } from "../services";
import { useObservable } from "../parts/use-observable";

const ConsentQuestion = lazyPanel(
  () => import(/* webpackChunkName: "credentials" */ "./consent-question"),
  "ConsentQuestion",
);
const SpendingMessage = lazyPanel(
  () => import(/* webpackChunkName: "spending" */ "./spending-question"),
  "SpendingMessage",
);

export function PaneNotices({
  services,
  connection,
  faults,
  workbook,
  onConnect,
}: Pick<TabProps, "services" | "connection" | "workbook"> & {
  faults: readonly Fault[];
  onConnect: () => void;
}) {
  const { earlierCells, environment, notice } = connection;
  const countsFrom1904 = useObservable(services.host.countsFrom1904);
  const recalculate = () => unawaited(services.connection.recalculate());
  /** Also continues a refresh that the fault has ended. */
  function tryAgain(): void {
    recalculate();
    if (workbook.kind === "open" && workbook.refresher.state.phase === "failed") {
      unawaited(workbook.refresher.start("rest"));
    }
  }
  return (
    <div class="notices" role="status">
      {services.host.lacks.map((lack) => (
        <Message key={lack} intent="warning">
          {lack}
        </Message>
      ))}
      {countsFrom1904 ? (
        <Message intent="warning">
          This workbook counts days from 1904, so INV&apos;s times show four years late. Type dates in
          INV&apos;s arguments as text, such as &quot;2026-01-31&quot;.
        </Message>
      ) : null}
      {connection.awaitsConsent && environment ? (
        <ConsentQuestion services={services} environment={environment} />
      ) : null}
      <CommandFailure services={services} />
      {faults.map((fault) => (
        <Message
          key={fault.scope}
          intent="error"
          actions={{
            "Try again": fault.error.code === "signed-out" ? null : tryAgain,
            [environment?.credentials === "server" ? "Sign in" : "Check credentials"]:
              fault.scope === "credentials" ? onConnect : null,
          }}
        >
          {faultWords(fault)}
        </Message>
      ))}
      {services.engine.spendingQuestion() === null ? null : (
        <SpendingMessage engine={services.engine} clock={services.clock} />
      )}
      {notice ? <Message intent="warning">{notice}</Message> : null}
      {earlierCells > 0 ? (
        <Message intent="warning" actions={{ "Recalculate now": recalculate }}>
          {counted(earlierCells, "cell")} still {earlierCells === 1 ? "shows" : "show"} values from before the
          change to {environment?.label ?? "this environment"}.
        </Message>
      ) : null}
    </div>
  );
}

function CommandFailure({ services }: { services: PaneServices }) {
  const { failure, dismiss } = services.commands;
  const reason = useObservable(failure);
  if (reason === null) return null;
  return (
    <Message intent="warning" actions={{ Dismiss: dismiss }}>
      {reason}
    </Message>
  );
}

function faultWords({ scope, error }: Fault): string {
  if (scope === "credentials") return error.message;
  const stopped = scope === "search" ? "Inventory requests" : "Event requests";
  return `${stopped} are stopped: ${error.message}`;
}
