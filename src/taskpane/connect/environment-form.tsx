/**
 * The form of one environment: its account or credentials, a test, and the button that connects. The connection changes only
 * after a successful test, or when a person uses the choice untested because the service is down. Editing a field or choosing
 * another environment cancels the attempt.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConnectionChoice, ConnectionState } from "../../connection/types";
import { type Environment, isEmbedded } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import type { TypedCredentials } from "./credentials-form";
import { AddEnvironmentHint } from "./add-environment-hint";
import { lazyPanel } from "../parts/lazy-panel";
import { Select } from "../parts/fields";
import { Button, Message } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";

type Outcome =
  | { kind: "none" }
  | { kind: "working"; words: string }
  | { kind: "success"; words: string }
  | { kind: "failure"; words: string; canUseAnyway: boolean };

const CredentialsForm = lazyPanel(
  () => import(/* webpackChunkName: "credentials" */ "./credentials-form"),
  "CredentialsForm",
);
const StoredCredentials = lazyPanel(
  () => import(/* webpackChunkName: "credentials" */ "./credentials-form"),
  "StoredCredentials",
);
const SampleStockHint = lazyPanel(
  () => import(/* webpackChunkName: "sample-stock-hint" */ "./sample-stock-hint"),
  "SampleStockHint",
);

const nothingTyped: TypedCredentials = { consumerId: "", clientSecret: "", remember: false };

/** These errors say nothing about the choice itself, which may be right. */
const outOfReach = new Set(["unreachable", "timeout", "service-down", "quota"]);

export function EnvironmentForm(props: {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}) {
  const { services, connection, entry } = props;
  const isCurrent = connection.environment?.id === entry.id;
  const isStored = connection.inMemory.includes(entry.id) || connection.remembered.includes(entry.id);
  const [account, setAccount] = useState(
    (isCurrent ? connection.account : null) ?? entry.accounts?.[0]?.name ?? "",
  );
  const [typed, setTyped] = useState(nothingTyped);
  const [isRetyping, setRetyping] = useState(false);
  const { outcome, showOutcome, attempt } = useAttempt(entry);
  const alive = useAlive();
  const needsTyping = !entry.accounts && entry.credentials === "user";
  const isTyping = needsTyping && (!isStored || isRetyping);
  const isWorking = outcome.kind === "working";
  // INV already uses the values in the fields.
  const isInUse =
    isCurrent &&
    !isTyping &&
    connection.hasCredentials &&
    (!entry.accounts || account === connection.account);

  function choice(): ConnectionChoice {
    if (entry.accounts) return { environmentId: entry.id, account };
    if (!isTyping) return { environmentId: entry.id };
    const { remember, ...credentials } = typed;
    return { environmentId: entry.id, credentials, remember };
  }

  const test = () =>
    attempt((signal) => services.connection.test(choice(), signal), {
      working: "Testing…",
      good: `The connection works: ${entry.label} gave a token and answered a request.`,
    });

  const connect = (options: { tested: boolean }) =>
    attempt(
      async (signal) => {
        await services.connection.connect(choice(), { ...options, signal });
        if (!alive.current) return;
        setTyped(nothingTyped);
        setRetyping(false);
      },
      { working: "Connecting…", good: `Connected to ${entry.label}. INV calculates its cells again.` },
    );

  async function forget(): Promise<void> {
    await services.connection.forget(entry.id);
    if (!alive.current) return;
    showOutcome({ kind: "success", words: "INV has forgotten the credentials, here and on this device." });
    document.getElementById("inv-environment")?.focus();
  }

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void connect({ tested: true });
      }}
    >
      {entry.accounts ? (
        <AccountSelect
          accounts={entry.accounts}
          account={account}
          inUse={isCurrent ? connection.account : null}
          onChange={(name) => {
            setAccount(name);
            showOutcome({ kind: "none" });
          }}
        />
      ) : null}
      {isEmbedded(entry) ? (
        <SampleStockHint services={services} entry={entry} account={entry.accounts ? account : null} />
      ) : null}
      {isTyping ? (
        <CredentialsForm
          typed={typed}
          canRemember={connection.canRemember}
          testCredentials={entry.testCredentials ?? null}
          onChange={(next) => {
            setTyped(next);
            showOutcome({ kind: "none" });
          }}
        />
      ) : null}
      {needsTyping && !isTyping ? (
        <StoredCredentials
          entry={entry}
          connection={connection}
          onRetype={() => {
            setRetyping(true);
            showOutcome({ kind: "none" });
          }}
          onForget={() => void forget()}
        />
      ) : null}
      {entry.kind === "production" && !isEmbedded(entry) ? (
        <p class="hint">Production shows real stock and uses your company's quota.</p>
      ) : null}
      <div class="buttons">
        <Button primary={!isInUse} submit disabled={isWorking}>
          {isInUse ? "Connect again" : `Connect to ${entry.label}`}
        </Button>
        <Button disabled={isWorking} onClick={() => void test()}>
          Test connection
        </Button>
      </div>
      <OutcomeStatus outcome={outcome} onUseAnyway={() => void connect({ tested: false })} />
      {entry.embedded ? (
        <p class="hint">
          This is sample data. To use your own credentials: <AddEnvironmentHint />
        </p>
      ) : null}
    </form>
  );
}

/** Runs one test or connection at a time, and returns its outcome. */
function useAttempt({ kind }: Environment) {
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const underWay = useRef<AbortController | null>(null);
  const alive = useAlive();
  useEffect(() => () => underWay.current?.abort(), []);

  /** Shows an outcome for the fields as they are, and cancels an attempt that used other values. */
  function showOutcome(next: Outcome): void {
    underWay.current?.abort();
    underWay.current = null;
    setOutcome(next);
  }

  async function attempt(
    work: (signal: AbortSignal) => Promise<void>,
    words: { working: string; good: string },
  ): Promise<void> {
    showOutcome({ kind: "working", words: words.working });
    const own = new AbortController();
    underWay.current = own;
    const isLatest = () => alive.current && underWay.current === own;
    try {
      await work(own.signal);
      if (isLatest()) setOutcome({ kind: "success", words: words.good });
    } catch (error) {
      const { code, message } = toInvError(error);
      if (code === "cancelled") {
        if (isLatest()) setOutcome({ kind: "none" });
        return;
      }
      // Some demo accounts exist to demonstrate a refusal, in the sheet too.
      const canUseAnyway = outOfReach.has(code) || kind === "demo";
      if (isLatest()) setOutcome({ kind: "failure", words: message, canUseAnyway });
    }
  }

  return { outcome, showOutcome, attempt };
}

function AccountSelect(props: {
  readonly accounts: NonNullable<Environment["accounts"]>;
  readonly account: string;
  /** The account that this workbook uses now; null if it uses none of these. */
  readonly inUse: string | null;
  readonly onChange: (name: string) => void;
}) {
  const { accounts, account, inUse, onChange } = props;
  return (
    <Select
      id="inv-account"
      label="Demo account"
      value={account}
      options={accounts.map(({ name, supplierName }) => ({
        value: name,
        label: `${name} (${supplierName === "" ? "no supplier" : supplierName})`,
      }))}
      onChange={onChange}
      hint={
        inUse !== null && inUse !== account
          ? `This workbook uses the account ${inUse} until you connect.`
          : "The other accounts show what a refusal looks like."
      }
    />
  );
}

function OutcomeStatus({ outcome, onUseAnyway }: { outcome: Outcome; onUseAnyway: () => void }) {
  return (
    <div role="status">
      {outcome.kind === "working" ? <p>{outcome.words}</p> : null}
      {outcome.kind === "success" ? <Message intent="success">{outcome.words}</Message> : null}
      {outcome.kind === "failure" ? (
        <Message intent="error" actions={{ "Use it anyway": outcome.canUseAnyway ? onUseAnyway : null }}>
          {outcome.words}
        </Message>
      ) : null}
    </div>
  );
}
