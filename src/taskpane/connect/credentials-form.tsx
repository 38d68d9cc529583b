/**
 * The fields for an environment whose credentials the user types: consumer ID and client secret, and
 * whether to remember them. What is typed stays in this form until it is tested or used.
 */
import type { SupplierCredentials } from "../../domain/environment";
import { Button } from "../parts/parts";

export interface TypedCredentials extends SupplierCredentials {
  readonly remember: boolean;
}

interface CredentialsFormProps {
  typed: TypedCredentials;
  canRemember: boolean;
  /** Public credentials of sample stock; null where they are somebody's. */
  testCredentials: SupplierCredentials | null;
  onChange: (typed: TypedCredentials) => void;
}

export function CredentialsForm({ typed, canRemember, testCredentials, onChange }: CredentialsFormProps) {
  return (
    <>
      {testCredentials !== null ? (
        <div class="buttons">
          <Button onClick={() => onChange({ ...typed, ...testCredentials })}>Use test credentials</Button>
        </div>
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
        <label class="check">
          <input
            type="checkbox"
            checked={typed.remember}
            onChange={(event) => onChange({ ...typed, remember: event.currentTarget.checked })}
          />
          <span>
            Remember on this device
            <span class="hint">
              Encrypted in this browser, never in the workbook. It keeps the secret from other people and from
              files, not from someone who uses INV on this device under your account.
            </span>
          </span>
        </label>
      ) : (
        <p class="hint">This browser offers no storage, so credentials hold until INV is closed.</p>
      )}
    </>
  );
}

/**
 * No spelling is looked up in credentials. An attribute, because Fluent's field throws when it is drawn with
 * the property, and takes another text for it than the element it is before.
 */
function unchecked(field: EventTarget | null): void {
  if (field instanceof HTMLElement) field.setAttribute("spellcheck", "false");
}

function valueOf(event: Event): string {
  const value: unknown = event.target === null ? "" : Reflect.get(event.target, "value");
  return typeof value === "string" ? value : "";
}
