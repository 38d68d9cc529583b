/**
 * The form of one environment: its account or credentials, a test, and connecting. Nothing in use changes
 * until the choice has been tested, or the user says to use it untested (a service that is down must not
 * keep anyone from choosing it). Whoever edits a field or turns to another environment gives up what is tried.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConnectionChoice, ConnectionState } from "../../connection/types";
import { type Environment, isEmbedded } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import type { TypedCredentials } from "./credentials-form";
import { OwnAddresses } from "./own-addresses";
import { lazyPanel } from "../parts/lazy-panel";
import { Button, Message, Select } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";

type Outcome =
  | { kind: "none" }
  | { kind: "working"; words: string }
  | { kind: "good"; words: string }
  | { kind: "bad"; words: string; mayUseAnyway: boolean };

const CredentialsForm = lazyPanel(async () => {
  const { CredentialsForm: Form } = await import(/* webpackChunkName: "credentials" */ "./credentials-form");
  return Form;
});
const HeldCredentialsView = lazyPanel(async () => {
  const { HeldCredentialsView: Held } = await import(
    /* webpackChunkName: "credentials" */ "./held-credentials"
  );
  return Held;
});
const DemoWorld = lazyPanel(async () => {
  const { DemoWorld: World } = await import(/* webpackChunkName: "demo-world" */ "./demo-world");
  return World;
});

const nothingTyped: TypedCredentials = { consumerId: "", clientSecret: "", remember: false };

/** Nothing was refused: the same choice may be right, and is only out of reach now. */
const outOfReach = new Set(["unreachable", "timeout", "service-down", "quota"]);

interface EnvironmentFormProps {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}

export function EnvironmentForm({ services, connection, entry }: EnvironmentFormProps) {
  const inUse = connection.environment?.id === entry.id;
  const isHeld = connection.held.includes(entry.id) || connection.remembered.includes(entry.id);
  const [account, setAccount] = useState(
    (inUse ? connection.account : null) ?? entry.accounts?.[0]?.name ?? "",
  );
  const [typed, setTyped] = useState(nothingTyped);
  const [retyping, setRetyping] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const underWay = useRef<AbortController | null>(null);
  const alive = useAlive();
  const isTyped = !entry.accounts && entry.credentials === "user";
  const typing = isTyped && (!isHeld || retyping);
  const working = outcome.kind === "working";
  // What the fields say is what INV uses now: connecting would only repeat it.
  const isSame =
    inUse && !typing && connection.hasCredentials && (!entry.accounts || account === connection.account);

  function choice(): ConnectionChoice {
    if (entry.accounts) return { environmentId: entry.id, account };
    if (!typing) return { environmentId: entry.id };
    const { remember, ...credentials } = typed;
    return { environmentId: entry.id, credentials, remember };
  }

  // Whoever turns to another environment has given up what was being tried here.
  useEffect(() => () => underWay.current?.abort(), []);

  /** What is told is told of the fields as they are: an attempt with other ones is given up. */
  function tell(next: Outcome): void {
    underWay.current?.abort();
    underWay.current = null;
    setOutcome(next);
  }

  async function attempt(
    work: (signal: AbortSignal) => Promise<void>,
    words: { working: string; good: string },
  ): Promise<void> {
    tell({ kind: "working", words: words.working });
    const own = new AbortController();
    underWay.current = own;
    const isTold = () => alive.current && underWay.current === own;
    try {
      await work(own.signal);
      if (isTold()) setOutcome({ kind: "good", words: words.good });
    } catch (error) {
      const { code, message } = toInvError(error);
      if (code === "cancelled") {
        if (isTold()) setOutcome({ kind: "none" });
        return;
      }
      // A demo account that is refused is there to be looked at, in the sheet too.
      const mayUseAnyway = outOfReach.has(code) || entry.kind === "demo";
      if (isTold()) setOutcome({ kind: "bad", words: message, mayUseAnyway });
    }
  }

  const test = () =>
    attempt((signal) => services.connection.test(choice(), signal), {
      working: "Testing…",
      good: `The connection works: ${entry.label} gave a token and answered a call.`,
    });

  const connect = (options: { tested: boolean }) =>
    attempt(
      async (signal) => {
        await services.connection.connect(choice(), { ...options, signal });
        if (!alive.current) return;
        setTyped(nothingTyped);
        setRetyping(false);
      },
      { working: "Connecting…", good: `Connected to ${entry.label}. INV cells are being calculated again.` },
    );

  async function forget(): Promise<void> {
    await services.connection.forget(entry.id);
    if (!alive.current) return;
    tell({ kind: "good", words: "The credentials are forgotten, here and on this device." });
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
        <Select
          id="inv-account"
          label="Demo account"
          value={account}
          options={entry.accounts.map(({ name, supplierName }) => ({
            value: name,
            label: `${name} (${supplierName === "" ? "no supplier" : supplierName})`,
          }))}
          onChange={(name) => {
            setAccount(name);
            tell({ kind: "none" });
          }}
          hint={
            inUse && connection.account !== null && connection.account !== account
              ? `This workbook uses the account ${connection.account} until you connect.`
              : "Nothing to type. The other accounts show what a refusal looks like."
          }
        />
      ) : null}
      {isEmbedded(entry) ? (
        <DemoWorld services={services} entry={entry} account={entry.accounts ? account : null} />
      ) : null}
      {typing ? (
        <CredentialsForm
          typed={typed}
          canRemember={connection.canRemember}
          testCredentials={entry.testCredentials ?? null}
          onChange={(next) => {
            setTyped(next);
            tell({ kind: "none" });
          }}
        />
      ) : null}
      {isTyped && !typing ? (
        <HeldCredentialsView
          entry={entry}
          connection={connection}
          onRetype={() => {
            setRetyping(true);
            tell({ kind: "none" });
          }}
          onForget={() => void forget()}
        />
      ) : null}
      {entry.kind === "production" && !isEmbedded(entry) ? (
        <p class="hint">Production shows real stock and uses your company's quota.</p>
      ) : null}
      <div class="buttons">
        <Button primary={!isSame} submit disabled={working}>
          {isSame ? "Connect again" : `Connect to ${entry.label}`}
        </Button>
        <Button disabled={working} onClick={() => void test()}>
          Test connection
        </Button>
      </div>
      <div role="status">
        {outcome.kind === "working" ? <p>{outcome.words}</p> : null}
        {outcome.kind === "good" ? <Message intent="success">{outcome.words}</Message> : null}
        {outcome.kind === "bad" ? (
          <Message
            intent="error"
            actions={
              outcome.mayUseAnyway ? (
                <Button quiet onClick={() => void connect({ tested: false })}>
                  Use it anyway
                </Button>
              ) : undefined
            }
          >
            {outcome.words}
          </Message>
        ) : null}
      </div>
      {entry.embedded ? (
        <p class="hint">
          This is sample data. To use your own credentials: <OwnAddresses />
        </p>
      ) : null}
    </form>
  );
}
