/**
 * Which environment a workbook opens with: its own, otherwise the last one used on this device. Sample stock is never chosen
 * silently, because nobody asked for made-up numbers in a new workbook; only the browser workbook begins with the demo.
 */
import {
  isConfigured,
  isEmbedded,
  isSample,
  type Environment,
  type EnvironmentEntry,
} from "../domain/environment";

export interface ChoiceFacts {
  /** Id stored in the workbook. */
  readonly stored: string | null;
  /** Id used last on this device. */
  readonly last: string | null;
  readonly beginWithDemo: boolean;
}

export interface ChosenEnvironment {
  readonly environment: Environment | null;
  /** The workbook's id, where the list has no usable environment of that id. */
  readonly missingId: string | null;
}

export function chooseEnvironment(
  entries: readonly EnvironmentEntry[],
  facts: ChoiceFacts,
): ChosenEnvironment {
  const usable = entries.filter(isConfigured);
  if (facts.stored !== null) {
    const environment = usable.find(({ id }) => id === facts.stored) ?? null;
    return { environment, missingId: environment ? null : facts.stored };
  }
  const last = usable.find((entry) => entry.id === facts.last && !isSample(entry));
  // The demo comes before the other environments that are embedded.
  const demo = facts.beginWithDemo ? usable.find(isEmbedded) : undefined;
  return { environment: last ?? demo ?? null, missingId: null };
}
