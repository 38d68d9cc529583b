/**
 * The header of every tab: the environment that the numbers come from (a click changes it), the state, and the age of the
 * stock. The environment's kind decides how it looks, never its label: only production is red.
 */
import type { ComponentChildren } from "preact";
import type { Environment, EnvironmentKind } from "../../domain/environment";
import { useObservable } from "../parts/use-observable";
import type { PaneServices } from "../services";
import { stockWords, whichValues } from "./stock-words";

const meanings: Record<EnvironmentKind, { word: string; meaning: string }> = {
  production: { word: "Production", meaning: "real stock" },
  sandbox: { word: "Sandbox", meaning: "test data, not real stock" },
  file: { word: "File", meaning: "figures from a file" },
  demo: { word: "Demo", meaning: "made-up, not real stock" },
};

export function PaneHeader({
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
  children?: ComponentChildren;
}) {
  const { word, meaning } = environment ? meaningOf(environment) : { word: state, meaning: "" };
  const isNamed = environment !== null && environment.label.toLowerCase() !== word.toLowerCase();
  return (
    <header class={`header header-${environment?.kind ?? "none"}`}>
      <div class="header-line">
        <button
          type="button"
          class="environment"
          aria-label={`${word}: change the environment`}
          title="Change the environment"
          onClick={onEnvironment}
        >
          <strong>{word}</strong>
        </button>
        <span class="header-meaning">{isNamed ? `${environment.label}: ${meaning}` : meaning}</span>
        <button type="button" class="help-button" aria-label="Help" title="Help (F1)" onClick={onHelp}>
          ?
        </button>
      </div>
      {environment ? (
        <div class="header-line">
          <span class="header-state">{state}</span>
          {children}
        </div>
      ) : null}
    </header>
  );
}

/** An embedded environment uses the word of the environment that it simulates, with the remark that its stock isn't real. */
function meaningOf({ kind, embedded }: Environment): { word: string; meaning: string } {
  return embedded === true ? { ...meanings[kind], meaning: "not real stock" } : meanings[kind];
}

/** The age of the stock. If a value is older than the freshness time, this is a button that shows which. */
export function StockAgeText({ services }: { services: PaneServices }) {
  const age = useObservable(services.age);
  const { text, isWarning } = stockWords(age, services.clock.now());
  if (text === "") return null;
  return (
    <span class={isWarning ? "stock stock-old" : "stock"}>
      {age.isOld ? (
        <button type="button" class="link" title={whichValues} onClick={services.commands.showOldValues}>
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  );
}
