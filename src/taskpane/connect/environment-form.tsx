/**
 * The form of one environment: its account or credentials, and the button that tests and connects. The connection changes only
 * after a successful test, or when a person uses the choice untested because the service is down. Editing a field or choosing
 * another environment cancels the attempt.
 */
import { useState } from "preact/hooks";
import type { ConnectionChoice, ConnectionState } from "../../connection/types";
import { type Environment, isEmbedded } from "../../domain/environment";
import { ActionStatus, useAction } from "../parts/action";
import { Select } from "../parts/fields";
import { lazyPanel } from "../parts/lazy-panel";
import { Buttons, Fold, Form } from "../parts/parts";
import type { PaneServices } from "../services";
import type { TypedCredentials } from "./credentials-form";

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

/** These errors say nothing about the choice itself, which may be right. */
const outOfReach = new Set(["unreachable", "timeout", "service-down", "quota"]);

const nothingTyped: TypedCredentials = { consumerId: "", clientSecret: "", remember: false };

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
  const attempt = useAction();
  const needsTyping = !entry.accounts && entry.credentials === "user";
  const isTyping = needsTyping && (!isStored || isRetyping);
  const failure = attempt.result?.error ?? null;
  // Some demo accounts exist to demonstrate a refusal, in the sheet too.
  const canUseAnyway = failure !== null && (outOfReach.has(failure.code) || entry.kind === "demo");
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

  const connect = (options: { tested: boolean }) =>
    attempt.run(async (signal) => {
      await services.connection.connect(choice(), { ...options, signal });
      setTyped(nothingTyped);
      setRetyping(false);
      return `Connected to ${entry.label}. INV calculates its cells again.`;
    }, "Connecting…");

  function forget(): void {
    attempt.cancel();
    attempt.run(async () => {
      await services.connection.forget(entry.id);
      document.getElementById("inv-environment")?.focus();
      // A notice says that the device still has them.
      return services.connection.get().notice === null
        ? "INV has forgotten the credentials, here and on this device."
        : null;
    });
  }

  function retype(next: boolean): void {
    setRetyping(next);
    attempt.cancel();
  }

  return (
    <>
      <Form
        submit={isInUse ? "Connect again" : `Connect to ${entry.label}`}
        onSubmit={() => connect({ tested: true })}
        primary={!isInUse}
        isBusy={attempt.busyText !== null}
      >
        {entry.accounts && entry.accounts.length > 1 ? (
          <AccountSelect
            accounts={entry.accounts}
            account={account}
            inUse={isCurrent ? connection.account : null}
            onChange={(name) => {
              setAccount(name);
              attempt.cancel();
            }}
          />
        ) : null}
        {isTyping ? (
          <CredentialsForm
            typed={typed}
            canRemember={connection.canRemember}
            testCredentials={entry.testCredentials ?? null}
            onChange={(next) => {
              setTyped(next);
              attempt.cancel();
            }}
          />
        ) : null}
        {needsTyping && !isTyping ? (
          <StoredCredentials
            entry={entry}
            connection={connection}
            onRetype={() => retype(true)}
            onForget={forget}
          />
        ) : null}
        {isTyping && isStored ? (
          <Buttons quiet actions={{ "Keep the earlier credentials": () => retype(false) }} />
        ) : null}
        {entry.kind === "production" && !isEmbedded(entry) ? (
          <p class="hint">Production shows real stock and uses your company's quota.</p>
        ) : null}
      </Form>
      <ActionStatus
        action={attempt}
        actions={{ "Use it anyway": canUseAnyway ? () => connect({ tested: false }) : null }}
      />
      {/* Folded, because it is read from the server: arriving later, it would move what a person presses. */}
      {isEmbedded(entry) ? (
        <Fold title="Sample stores and items">
          {() => (
            <SampleStockHint services={services} entry={entry} account={entry.accounts ? account : null} />
          )}
        </Fold>
      ) : null}
      {entry.embedded ? (
        <p class="hint">
          This is sample data. To use your own credentials: <AddEnvironmentHint />
        </p>
      ) : null}
    </>
  );
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
          : "Others show refusals."
      }
    />
  );
}

/** How an administrator adds the supplier portal's environments. */
export function AddEnvironmentHint() {
  return (
    <>
      on the server, run <code>npm run --silent serve -- --example &gt; inv.json</code>, put in your portal's
      addresses, then start <code>npm run serve -- --config inv.json</code>.
    </>
  );
}
