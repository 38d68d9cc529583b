/**
 * Fields for the consumer ID and client secret, and what replaces them once INV has both. The form keeps typed values until
 * they are tested or used. It never shows a secret that INV already has.
 */
import type { ConnectionState } from "../../connection/types";
import type { Environment, SupplierCredentials } from "../../domain/environment";
import { CheckBox, TextField } from "../parts/fields";
import { Buttons } from "../parts/parts";

export interface TypedCredentials extends SupplierCredentials {
  readonly remember: boolean;
}

export function CredentialsForm(props: {
  typed: TypedCredentials;
  canRemember: boolean;
  /** Public credentials for sample stock; null if the environment's credentials are private. */
  testCredentials: SupplierCredentials | null;
  onChange: (typed: TypedCredentials) => void;
}) {
  const { typed, canRemember, testCredentials, onChange } = props;
  return (
    <>
      {testCredentials !== null ? (
        <Buttons actions={{ "Use test credentials": () => onChange({ ...typed, ...testCredentials }) }} />
      ) : null}
      <TextField
        id="inv-consumer-id"
        label="Consumer ID (client ID)"
        value={typed.consumerId}
        onText={(consumerId) => onChange({ ...typed, consumerId })}
      />
      <TextField
        id="inv-client-secret"
        label="Client secret"
        isSecret
        value={typed.clientSecret}
        onText={(clientSecret) => onChange({ ...typed, clientSecret })}
      />
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

export function StoredCredentials(props: {
  entry: Environment;
  connection: ConnectionState;
  onRetype: () => void;
  onForget: () => void;
}) {
  const { entry, connection } = props;
  const isCurrent = connection.environment?.id === entry.id;
  return (
    <div class="credentials">
      <p>
        {isCurrent && connection.consumerId ? (
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
