/**
 * The header of the pane, on every tab: which environment the numbers come from (a click changes it), the state, and
 * how old the stock is. Production is recognised by its kind, never by its label, and looks like nothing else.
 */
import type { ComponentChildren } from "preact";
import type { Environment, EnvironmentKind } from "../../domain/environment";

const meanings: Record<EnvironmentKind, { word: string; meaning: string }> = {
  production: { word: "Production", meaning: "real stock" },
  sandbox: { word: "Sandbox", meaning: "test data, not real stock" },
  file: { word: "File", meaning: "imported figures" },
  demo: { word: "Demo", meaning: "made-up, not real stock" },
};

export function Band({
  environment,
  state,
  onEnvironment,
  onHelp,
  children,
}: {
  environment: Environment | null;
  state: string;
  onEnvironment: () => void;
  onHelp: () => void;
  /** How old the stock is. */
  children?: ComponentChildren;
}) {
  const { word, meaning } = environment ? meaningOf(environment) : { word: state, meaning: "" };
  const isNamed = environment !== null && environment.label.toLowerCase() !== word.toLowerCase();
  return (
    <header class={`band band-${environment?.kind ?? "none"}`}>
      <div class="band-line">
        <button
          type="button"
          class="environment"
          aria-label={`${word}: change the environment`}
          title="Change the environment"
          onClick={onEnvironment}
        >
          <strong>{word}</strong>
        </button>
        <span class="band-meaning">{isNamed ? `${environment.label}: ${meaning}` : meaning}</span>
        <HelpButton onHelp={onHelp} />
      </div>
      {environment ? (
        <div class="band-line">
          <span class="band-state">{state}</span>
          {children}
        </div>
      ) : null}
    </header>
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
