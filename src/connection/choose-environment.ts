/**
 * Chooses the environment for a workbook: its own, otherwise the last one used on this device. INV never
 * chooses sample stock silently, because nobody wants invented numbers in a new workbook. Only the browser
 * workbook starts with the demo.
 */
import {
  isConfigured,
  isEmbedded,
  isSample,
  type Environment,
  type EnvironmentEntry,
} from "../domain/environment";

export interface ChoiceFacts {
  readonly stored: string | null;
  readonly last: string | null;
  readonly beginWithDemo: boolean;
}

export interface ChosenEnvironment {
  readonly environment: Environment | null;
  /** The workbook's ID, if no usable environment in the list has it. */
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
  // The list has the demo before the other embedded environments.
  const demo = facts.beginWithDemo ? usable.find(isEmbedded) : undefined;
  return { environment: last ?? demo ?? null, missingId: null };
}
