/**
 * Consumer ID and client secret: the fields to type them, and what is shown in their place once INV has them. What is
 * typed stays in the form until it is tested or used; a secret that INV has is never shown.
 */
import type { ConnectionState } from "../../connection/types";
import type { Environment, SupplierCredentials } from "../../domain/environment";
import { CheckBox } from "../parts/fields";
import { Buttons } from "../parts/parts";

export interface TypedCredentials extends SupplierCredentials {
  readonly remember: boolean;
}

export function CredentialsForm(props: {
  typed: TypedCredentials;
  canRemember: boolean;
  /** Public credentials of sample stock; null where they are somebody's. */
  testCredentials: SupplierCredentials | null;
  onChange: (typed: TypedCredentials) => void;
}) {
  const { typed, canRemember, testCredentials, onChange } = props;
  return (
    <>
      {testCredentials !== null ? (
        <Buttons actions={{ "Use test credentials": () => onChange({ ...typed, ...testCredentials }) }} />
      ) : null}
      <fluent-text-input
        id="inv-consumer-id"
        class="wide"
        autocomplete="off"
        ref={unchecked}
        value={typed.consumerId}
        onInput={(event) => onChange({ ...typed, consumerId: valueOf(event) })}
      >
        Consumer ID (client ID)
      </fluent-text-input>
      <fluent-text-input
        id="inv-client-secret"
        class="wide"
        type="password"
        autocomplete="off"
        ref={unchecked}
        value={typed.clientSecret}
        onInput={(event) => onChange({ ...typed, clientSecret: valueOf(event) })}
      >
        Client secret
      </fluent-text-input>
      {canRemember ? (
        <CheckBox
          label="Remember on this device"
          hint="Encrypted in this browser, never in the workbook. This protects the secret from other people and in files, but not from someone who uses INV on this device under your account."
          checked={typed.remember}
          onChange={(remember) => onChange({ ...typed, remember })}
        />
      ) : (
        <p class="hint">This browser offers no storage. INV forgets the credentials when you close it.</p>
      )}
    </>
  );
}

/** Switches the spelling check off. By attribute: Fluent's field throws when it is drawn with the property. */
function unchecked(field: EventTarget | null): void {
  if (field instanceof HTMLElement) field.setAttribute("spellcheck", "false");
}

function valueOf(event: Event): string {
  const value: unknown = event.target === null ? "" : Reflect.get(event.target, "value");
  return typeof value === "string" ? value : "";
}

export function HeldCredentials(props: {
  entry: Environment;
  connection: ConnectionState;
  onRetype: () => void;
  onForget: () => void;
}) {
  const { entry, connection } = props;
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
        {connection.remembered.includes(entry.id)
          ? "remembered on this device."
          : "kept until you close INV."}
      </p>
      <Buttons quiet actions={{ "Change credentials": props.onRetype, Forget: props.onForget }} />
    </div>
  );
}
