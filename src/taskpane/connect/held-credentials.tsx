/**
 * What stands in the place of the credentials' fields where this session holds them: which, for how long, and
 * the ways to change or forget them. The secret itself is never shown.
 */
import type { ConnectionState } from "../../connection/types";
import type { Environment } from "../../domain/environment";
import { Button } from "../parts/parts";

interface HeldCredentialsProps {
  entry: Environment;
  connection: ConnectionState;
  onRetype: () => void;
  onForget: () => void;
}

export function HeldCredentialsView({ entry, connection, onRetype, onForget }: HeldCredentialsProps) {
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
