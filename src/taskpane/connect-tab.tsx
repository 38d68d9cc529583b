/**
 * Connect: which environment, whose credentials, and whether they work. Nothing in use changes until
 * the choice has been tested, or the user says to use it untested (a service that is down must not keep
 * anyone from choosing it). The list, the vault and the marking of cells are the connection service's.
 */
import { useRef, useState } from "preact/hooks";
import { type Environment, type EnvironmentEntry, isConfigured } from "../domain/environment";
import { toInvError } from "../domain/errors";
import { CredentialsForm, nothingTyped } from "./credentials-form";
import { FirstRun } from "./first-run";
import { Button, Message, Section, Select } from "./parts";
import type { ConnectionChoice, ConnectionState } from "../connection/types";
import type { PaneServices } from "./services";
import type { TabProps } from "./tab";
import { useAlive } from "./use-source";

type Outcome =
  | { kind: "none" }
  | { kind: "working"; words: string }
  | { kind: "good"; words: string }
  | { kind: "bad"; words: string; mayUseAnyway: boolean };

/** Nothing was refused: the same choice may be right, and is only out of reach now. */
const outOfReach = new Set(["unreachable", "timeout", "service-down", "quota"]);

export function ConnectTab({ services, connection, show }: TabProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { environments, environment, listError, missingId } = connection;
  const firstId = environments.find(isConfigured)?.id ?? environments[0]?.id ?? "";
  const id = chosenId ?? environment?.id ?? firstId;
  const entry = environments.find((candidate) => candidate.id === id);
  const open = services.workbook.get().kind === "open";
  const mayDemo =
    open &&
    environments.some((candidate) => candidate.kind === "demo") &&
    (environment === null || environment.kind === "demo") &&
    services.cells.summary().cells === 0;

  return (
    <>
      {missingId !== null ? (
        <Message intent="warning">
          This workbook uses the environment “{missingId}”, which is not set up here. Choose another, or ask
          your administrator for it.
        </Message>
      ) : null}
      {mayDemo ? <FirstRun services={services} onDone={() => show("refresh")} /> : null}
      <Section title="Where the numbers come from">
        {listError ? (
          <Message
            intent="error"
            actions={
              <Button quiet onClick={() => void services.connection.reload()}>
                Try again
              </Button>
            }
          >
            {listError.message}
          </Message>
        ) : null}
        {environments.length > 0 ? (
          <Select
            id="inv-environment"
            label="Environment"
            value={id}
            options={environments.map((candidate) => ({
              value: candidate.id,
              label: optionLabel(candidate),
            }))}
            onChange={setChosenId}
            {...(environment && entry && entry.id !== environment.id
              ? { hint: `This workbook uses ${environment.label} until you connect to ${entry.label}.` }
              : {})}
          />
        ) : null}
        {entry && !isConfigured(entry) ? (
          <Message intent="info">
            {entry.label} is not set up yet. {entry.missing}
          </Message>
        ) : null}
        {entry && isConfigured(entry) ? (
          <EnvironmentForm key={entry.id} services={services} connection={connection} entry={entry} />
        ) : null}
      </Section>
    </>
  );
}

interface EnvironmentFormProps {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}

function EnvironmentForm({ services, connection, entry }: EnvironmentFormProps) {
  const inUse = connection.environment?.id === entry.id;
  const isHeld = connection.held.includes(entry.id) || connection.remembered.includes(entry.id);
  const [account, setAccount] = useState(
    (inUse ? connection.account : null) ?? entry.accounts?.[0]?.name ?? "",
  );
  const [typed, setTyped] = useState(nothingTyped);
  const [retyping, setRetyping] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const attempts = useRef(0);
  const alive = useAlive();
  const typing = !entry.accounts && (!isHeld || retyping);
  const working = outcome.kind === "working";
  // What the fields say is what INV uses now: connecting would only repeat it.
  const isSame =
    inUse && !typing && connection.consumerId !== null && (!entry.accounts || account === connection.account);

  function choice(): ConnectionChoice {
    if (entry.accounts) return { environmentId: entry.id, account };
    if (!typing) return { environmentId: entry.id };
    const { remember, ...credentials } = typed;
    return { environmentId: entry.id, credentials, remember };
  }

  /** What is told is told of the fields as they are: the outcome of an earlier attempt is dropped. */
  function tell(next: Outcome): void {
    attempts.current += 1;
    setOutcome(next);
  }

  async function attempt(work: () => Promise<void>, words: { working: string; good: string }): Promise<void> {
    tell({ kind: "working", words: words.working });
    const own = attempts.current;
    const isTold = () => alive.current && attempts.current === own;
    try {
      await work();
      if (isTold()) setOutcome({ kind: "good", words: words.good });
    } catch (error) {
      const { code, message } = toInvError(error);
      // A demo account that is refused is there to be looked at, in the sheet too.
      const mayUseAnyway = outOfReach.has(code) || entry.kind === "demo";
      if (isTold()) setOutcome({ kind: "bad", words: message, mayUseAnyway });
    }
  }

  const test = () =>
    attempt(() => services.connection.test(choice()), {
      working: "Testing…",
      good: `The connection works: ${entry.label} gave a token and answered a call.`,
    });

  const use = (options: { tested: boolean }) =>
    attempt(
      async () => {
        if (options.tested) await services.connection.test(choice());
        await services.connection.use(choice());
        if (!alive.current) return;
        setTyped(nothingTyped);
        setRetyping(false);
      },
      { working: "Connecting…", good: `Connected to ${entry.label}. INV cells are being calculated again.` },
    );

  async function forget(): Promise<void> {
    await services.connection.forget(entry.id);
    if (!alive.current) return;
    setOutcome({ kind: "good", words: "The credentials are forgotten, here and on this device." });
    document.getElementById("inv-environment")?.focus();
  }

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void use({ tested: true });
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
      {typing ? (
        <CredentialsForm
          typed={typed}
          canRemember={connection.canRemember}
          onChange={(next) => {
            setTyped(next);
            tell({ kind: "none" });
          }}
        />
      ) : null}
      {!entry.accounts && !typing ? (
        <HeldCredentials
          entry={entry}
          connection={connection}
          onRetype={() => {
            setRetyping(true);
            tell({ kind: "none" });
          }}
          onForget={() => void forget()}
        />
      ) : null}
      {entry.kind === "production" ? (
        <p class="hint">Production shows real stock and spends your company's quota.</p>
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
                <Button quiet onClick={() => void use({ tested: false })}>
                  Use it anyway
                </Button>
              ) : undefined
            }
          >
            {outcome.words}
          </Message>
        ) : null}
      </div>
    </form>
  );
}

interface HeldCredentialsProps {
  entry: Environment;
  connection: ConnectionState;
  onRetype: () => void;
  onForget: () => void;
}

function HeldCredentials({ entry, connection, onRetype, onForget }: HeldCredentialsProps) {
  const remembered = connection.remembered.includes(entry.id);
  const inUse = connection.environment?.id === entry.id;
  return (
    <div class="held">
      <p>
        {inUse && connection.consumerId ? (
          <>
            Consumer ID <code>{connection.consumerId}</code>,{" "}
          </>
        ) : (
          "Credentials "
        )}
        {remembered ? "remembered on this device." : "held until INV is closed."}
      </p>
      <div class="buttons">
        <Button quiet onClick={onRetype}>
          Change credentials
        </Button>
        <Button quiet onClick={onForget}>
          Forget
        </Button>
      </div>
    </div>
  );
}

function optionLabel(entry: EnvironmentEntry): string {
  return isConfigured(entry) ? entry.label : `${entry.label} (not set up)`;
}
