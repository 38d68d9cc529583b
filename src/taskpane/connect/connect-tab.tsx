/**
 * Connect: which environment this workbook uses, and what stands in the way of choosing one. The form of the
 * environment that is looked at is a file of its own; the list, the vault and the marking of cells are the
 * connection service's.
 */
import { useState } from "preact/hooks";
import { type EnvironmentEntry, isConfigured } from "../../domain/environment";
import { EnvironmentForm } from "./environment-form";
import { FirstRun } from "./first-run";
import { OwnAddresses } from "./own-addresses";
import { lazyPanel } from "../parts/lazy-panel";
import { Button, Message, Section, Select } from "../parts/parts";
import type { TabProps } from "../parts/tab";

const SignInForm = lazyPanel(async () => {
  const { SignInForm: Form } = await import(/* webpackChunkName: "sign-in" */ "./sign-in-form");
  return Form;
});

export function ConnectTab({ services, connection, show }: TabProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { environments, environment, listError, missingId } = connection;
  const firstId = environments.find(isConfigured)?.id ?? environments[0]?.id ?? "";
  const listed = (wanted: string) => environments.find((candidate) => candidate.id === wanted);
  // What was chosen may be gone from the list that came since.
  const id = (chosenId === null ? undefined : listed(chosenId))?.id ?? environment?.id ?? firstId;
  const entry = listed(id);
  const isHeld = (of: string) => connection.held.includes(of) || connection.remembered.includes(of);
  const open = services.workbook.get().kind === "open";
  const mayDemo =
    open &&
    missingId === null &&
    environments.some((candidate) => candidate.kind === "demo") &&
    (environment === null || environment.kind === "demo") &&
    services.cells.summary().cells === 0;

  return (
    <>
      {missingId !== null ? (
        <Message intent="warning">
          This workbook uses the environment “{missingId}”, which isn't set up here, so INV asks nothing.
          Choose another environment
          {missingId.startsWith("embedded-") ? (
            "; this one is sample data."
          ) : (
            <>
              , or add this one: <OwnAddresses />
            </>
          )}
        </Message>
      ) : null}
      <FirstRun
        services={services}
        offered={mayDemo}
        // It tells here how it ends, though from its connection on another tab would be the one that helps.
        onStart={() => show("settings")}
        onDone={() => show("refresh")}
      />
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
            {entry.label} isn't set up yet. {entry.missing}
          </Message>
        ) : null}
        {entry && isConfigured(entry) && entry.credentials === "server" ? (
          <SignInForm key={entry.id} services={services} connection={connection} entry={entry} />
        ) : null}
        {entry && isConfigured(entry) && (entry.credentials === "user" || isHeld(entry.id)) ? (
          <EnvironmentForm key={entry.id} services={services} connection={connection} entry={entry} />
        ) : null}
        {connection.orphaned.map((orphan) => (
          <Message
            key={orphan}
            intent="warning"
            actions={
              <Button quiet onClick={() => void services.connection.forget(orphan)}>
                Forget {orphan}
              </Button>
            }
          >
            Credentials for “{orphan}” are stored on this device, but its server leads elsewhere now, or is
            gone. They are not used.
          </Message>
        ))}
      </Section>
    </>
  );
}

function optionLabel(entry: EnvironmentEntry): string {
  return isConfigured(entry) ? entry.label : `${entry.label} (not set up)`;
}
