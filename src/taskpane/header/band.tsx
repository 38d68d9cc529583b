/**
 * The band at the top: which environment the numbers come from, on every tab. Production is told by its
 * kind, never by its label, and looks like nothing else; so do made-up and test data.
 */
import type { Environment, EnvironmentKind } from "../../domain/environment";
import type { Progress } from "../../engine/types";
import type { ConnectionState } from "../../connection/types";

const meanings: Record<EnvironmentKind, { word: string; meaning: string }> = {
  production: { word: "Production", meaning: "real stock" },
  sandbox: { word: "Sandbox", meaning: "test data, not real stock" },
  file: { word: "File", meaning: "imported figures, as old as their export" },
  demo: { word: "Demo", meaning: "made-up data, not real stock" },
};

interface BandProps {
  connection: ConnectionState;
  progress: Progress;
  offline: boolean;
  onHelp: () => void;
}

export function Band({ connection, progress, offline, onHelp }: BandProps) {
  const { environment } = connection;
  if (!environment) {
    return (
      <div class="band band-none">
        <strong>{connection.ready ? "Not connected" : "Starting…"}</strong>
        {connection.ready ? <span>No environment chosen for this workbook</span> : null}
        <span class="band-end">
          <HelpButton onHelp={onHelp} />
        </span>
      </div>
    );
  }
  const { word, meaning } = meaningOf(environment);
  const label = environment.label.toLowerCase() === word.toLowerCase() ? "" : environment.label;
  return (
    <div class={`band band-${environment.kind}`}>
      <strong>{word}</strong>
      <span>{label ? `${label}: ${meaning}` : meaning}</span>
      <span class="band-end">
        <span class="band-state">{offline ? "Offline" : stateWord(connection, progress)}</span>
        <HelpButton onHelp={onHelp} />
      </span>
    </div>
  );
}

/** Sample stock that plays the sandbox or production looks like these, and says that it isn't real. */
function meaningOf({ kind, embedded }: Environment): { word: string; meaning: string } {
  return embedded === true ? { ...meanings[kind], meaning: "not real stock" } : meanings[kind];
}

function HelpButton({ onHelp }: { onHelp: () => void }) {
  return (
    <button
      type="button"
      id="inv-help"
      class="help-button"
      aria-label="Help"
      title="Help (F1)"
      onClick={onHelp}
    >
      ?
    </button>
  );
}

function stateWord(connection: ConnectionState, progress: Progress): string {
  const { environment, hasCredentials, awaitsConsent } = connection;
  if (awaitsConsent) return "Not allowed yet";
  if (progress.faults.some(({ error }) => error.code === "signed-out")) return "Signed out";
  if (!hasCredentials) return environment?.credentials === "server" ? "Signed out" : "No credentials";
  if (progress.faults.length > 0) return "Stopped";
  if (progress.quota.search.awaitsMemory || progress.quota.events.awaitsMemory) return "Server waits";
  return progress.busy ? "Busy…" : "Ready";
}
