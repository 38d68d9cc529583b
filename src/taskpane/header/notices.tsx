/**
 * What the user must know whatever tab is open: that this workbook asks to use remembered credentials, faults
 * that stop calls, cells that still show values of an earlier environment, and what this Excel lacks. Each
 * says what to do and offers it.
 */
import { useRef, useState } from "preact/hooks";
import type { ThawOffer } from "../../workbook/frozen-formulas/thaw-offer";
import { lazyPanel } from "../parts/lazy-panel";
import { count, counted } from "../parts/words";
import { Button, Message } from "../parts/parts";
import type { Environment } from "../../domain/environment";
import type { Fault } from "../../engine/types";
import type { ConnectionState } from "../../connection/types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import type { PaneServices } from "../services";
import { useChanges, useSource } from "../parts/use-source";
import { isRunning, type Refresher } from "../../workbook/refresh/refresh";

// Questions that few ever see.
const ConsentQuestion = lazyPanel(async () => {
  const { ConsentQuestion: Question } = await import(
    /* webpackChunkName: "credentials" */ "./consent-question"
  );
  return Question;
});
const SpendingMessage = lazyPanel(async () => {
  const { SpendingMessage: Question } = await import(
    /* webpackChunkName: "spending" */ "./spending-question"
  );
  return Question;
});
const OpenOffer = lazyPanel(async () => {
  const { OpenOffer: Offer } = await import(/* webpackChunkName: "thaw" */ "./thaw-notice");
  return Offer;
});

interface NoticesProps {
  services: PaneServices;
  connection: ConnectionState;
  faults: readonly Fault[];
  workbook: OpenWorkbook;
  onConnect: () => void;
}

export function PaneNotices({ services, connection, faults, workbook, onConnect }: NoticesProps) {
  const { earlierCells, environment, notice } = connection;
  const { offline } = useSource(services.settings);
  const [wentOnline, setWentOnline] = useState(false);
  const goOnline = () => {
    setWentOnline(true);
    services.settings.change({ offline: false });
  };
  const recalculate = () => void services.connection.recalculate();
  return (
    <div class="notices" role="status">
      {services.host.lacks.map((lack) => (
        <Message key={lack} intent="warning">
          {lack}
        </Message>
      ))}
      {connection.awaitsConsent && environment ? (
        <ConsentQuestion services={services} environment={environment} />
      ) : null}
      <CommandFailure services={services} />
      {workbook.kind === "open" ? <OfferNotice offer={workbook.offer} /> : null}
      {faults.map((fault) => (
        <Message
          key={fault.scope}
          intent="error"
          actions={
            <>
              {fault.error.code === "signed-out" ? null : (
                <Button quiet onClick={recalculate}>
                  Try again
                </Button>
              )}
              {fault.scope === "credentials" ? (
                <Button quiet onClick={onConnect}>
                  {connectWords(environment)}
                </Button>
              ) : null}
            </>
          }
        >
          {faultWords(fault)}
        </Message>
      ))}
      {services.engine.spendingQuestion() === null ? null : (
        <SpendingMessage engine={services.engine} clock={services.clock} />
      )}
      {offline ? (
        <Message
          intent="warning"
          actions={
            <Button quiet onClick={goOnline}>
              Go online
            </Button>
          }
        >
          INV is offline: it sends no calls, and every cell keeps its value.
        </Message>
      ) : wentOnline && workbook.kind === "open" ? (
        <OwedSince services={services} refresher={workbook.refresher} />
      ) : null}
      {notice ? <Message intent="warning">{notice}</Message> : null}
      {earlierCells > 0 ? (
        <Message
          intent="warning"
          actions={
            <Button quiet onClick={recalculate}>
              Recalculate now
            </Button>
          }
        >
          {counted(earlierCells, "cell")} still {earlierCells === 1 ? "shows" : "show"} values from before the
          change to {environment?.label ?? "this environment"}.
        </Message>
      ) : null}
    </div>
  );
}

/** Beside the click that went online: what was refused meanwhile is asked for with the next. */
function OwedSince({ services, refresher }: { services: PaneServices; refresher: Refresher }) {
  useChanges(services.cells.subscribe);
  useChanges(refresher.subscribe);
  const { owed } = services.cells.summary();
  if (owed === 0 || isRunning(refresher.state)) return null;
  return (
    <Message
      intent="info"
      actions={
        <Button quiet onClick={() => void refresher.start("unanswered")}>
          Ask for the {count(owed)} unanswered
        </Button>
      }
    >
      INV is online again. {counted(owed, "cell")} {owed === 1 ? "was" : "were"} not answered meanwhile.
    </Message>
  );
}

/** From the first offer on, because what came of it is told after it is gone. */
function OfferNotice({ offer }: { offer: ThawOffer }) {
  const offered = useRef(false);
  if (useSource(offer) !== null) offered.current = true;
  return offered.current ? <OpenOffer offer={offer} /> : null;
}

/** Why the last command of the ribbon, a menu or a key did not do it all. */
function CommandFailure({ services }: { services: PaneServices }) {
  const { failure, dismiss } = services.commands;
  const reason = useSource(failure);
  if (reason === null) return null;
  return (
    <Message
      intent="warning"
      actions={
        <Button quiet onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      {reason}
    </Message>
  );
}

/** Who signs in has no credentials to look at. */
function connectWords(environment: Environment | null): string {
  return environment?.credentials === "server" ? "Sign in" : "Check credentials";
}

function faultWords({ scope, error }: Fault): string {
  if (scope === "credentials") return error.message;
  const stopped = scope === "search" ? "Inventory calls" : "Event calls";
  return `${stopped} are stopped: ${error.message}`;
}
