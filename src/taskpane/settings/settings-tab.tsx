/** Settings: the environment and credentials, then the settings of this device. Changes take effect at once. */
import { useState } from "preact/hooks";
import { type EnvironmentEntry, isConfigured } from "../../domain/environment";
import { unawaited } from "../../domain/unawaited";
import { AddEnvironmentHint, EnvironmentForm } from "../connect/environment-form";
import { ActionStatus, useAction } from "../parts/action";
import { Select } from "../parts/fields";
import { lazyPanel } from "../parts/lazy-panel";
import { Buttons, Fold, Message, Section } from "../parts/parts";
import type { TabProps } from "../parts/tab";
import { useObservable } from "../parts/use-observable";
import type { PaneServices } from "../services";

const SignInForm = lazyPanel(
  () => import(/* webpackChunkName: "sign-in" */ "../connect/sign-in-form"),
  "SignInForm",
);
const SettingsPart = lazyPanel(
  () => import(/* webpackChunkName: "settings-part" */ "./settings-part"),
  "SettingsPart",
);

export function SettingsTab(props: TabProps) {
  const { services, active, alone, show } = props;
  const minutes = useObservable(services.autoRefresh);
  if (alone) {
    return (
      <>
        {/* Before the form, whose parts arrive one after the other and would move it while a person presses. */}
        <button type="button" class="link" onClick={() => show("refresh")}>
          Continue without a connection
        </button>
        <Connection {...props} />
      </>
    );
  }
  return (
    <>
      <Connection {...props} />
      <div class="folds">
        <Fold title="Values">{() => <SettingsPart {...props} part="values" />}</Fold>
        <Fold title={`Automatic refresh: ${minutes === 0 ? "off" : `every ${minutes} minutes`}`}>
          {() => <SettingsPart {...props} part="refresh" />}
        </Fold>
        <Fold title="Quota" active={active}>
          {() => <SettingsPart {...props} part="quota" />}
        </Fold>
        <Fold title="Diagnostics">{() => <SettingsPart {...props} part="diagnostics" />}</Fold>
        <Fold title="About INV">{() => <SettingsPart {...props} part="about" />}</Fold>
      </div>
    </>
  );
}

/** The environment that this workbook uses, and how to choose another: the demo, the list, and the form of the chosen one. */
function Connection({ services, connection, show }: TabProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { environments, environment, listError, missingId } = connection;
  const firstId = environments.find(isConfigured)?.id ?? environments[0]?.id ?? "";
  const listed = (id: string) => environments.find((candidate) => candidate.id === id);
  // A newer list may lack the chosen environment.
  const id = (chosenId === null ? undefined : listed(chosenId))?.id ?? environment?.id ?? firstId;
  const entry = listed(id);
  const hasStored = (id: string) => connection.inMemory.includes(id) || connection.remembered.includes(id);
  const open = services.workbook.get().kind === "open";
  const offersDemo =
    open &&
    missingId === null &&
    environments.some((candidate) => candidate.kind === "demo") &&
    (environment === null || environment.kind === "demo") &&
    services.cells.summary().cells === 0;

  return (
    <>
      {missingId !== null ? (
        <Message intent="warning">
          This workbook uses the environment “{missingId}”, which isn't set up here, so INV sends no requests.
          Choose another environment
          {missingId.startsWith("embedded-") ? (
            "; this one is sample data."
          ) : (
            <>
              , or add this one: <AddEnvironmentHint />
            </>
          )}
        </Message>
      ) : null}
      <FirstRun
        services={services}
        offered={offersDemo}
        // This section shows the result, so the tab must stay when the connection changes.
        onStart={() => show("settings")}
        onDone={() => show("refresh")}
      />
      <Section title="Where the numbers come from">
        {listError ? (
          <Message intent="error" actions={{ "Try again": () => unawaited(services.connection.reload()) }}>
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
            {entry.label} isn't set up yet. {entry.missing}
          </Message>
        ) : null}
        {entry && isConfigured(entry) && entry.credentials === "server" ? (
          <SignInForm key={entry.id} services={services} connection={connection} entry={entry} />
        ) : null}
        {entry && isConfigured(entry) && (entry.credentials === "user" || hasStored(entry.id)) ? (
          <EnvironmentForm key={entry.id} services={services} connection={connection} entry={entry} />
        ) : null}
        {connection.orphaned.map((orphan) => (
          <Message
            key={orphan}
            intent="warning"
            actions={{ [`Forget ${orphan}`]: () => unawaited(services.connection.forget(orphan)) }}
          >
            This device remembers credentials for “{orphan}”, but that environment has another address now, or
            was removed. INV doesn't use them.
          </Message>
        ))}
      </Section>
    </>
  );
}

function optionLabel(entry: EnvironmentEntry): string {
  return isConfigured(entry) ? entry.label : `${entry.label} (not set up)`;
}

/** A start for new users: one button that connects to the demo and fills a sample sheet. */
function FirstRun({
  services,
  offered,
  onStart,
  onDone,
}: {
  services: PaneServices;
  /** True only where the demo can't mix sample stock into somebody's work. */
  offered: boolean;
  onStart: () => void;
  onDone: () => void;
}) {
  const filling = useAction();

  function start(): void {
    onStart();
    filling.run(async () => {
      await services.tryDemo();
      onDone();
      return null;
    }, "Filling the sheet…");
  }

  // The first new cells withdraw the offer before the sheet is filled; keep the section until then.
  if (!offered && filling.busyText === null) return null;
  return (
    <Section title="New here?">
      <p>
        Try INV without credentials. It fills a new sheet of this workbook with live formulas for sample
        stores and items.
      </p>
      <Buttons primary isBusy={filling.busyText !== null} actions={{ "Try with demo data": start }} />
      <ActionStatus action={filling} />
    </Section>
  );
}
