/**
 * Shows the environment of the workbook's numbers, from the add-in itself (INV.ENV), also while the pane is hidden.
 * Production is recognized by its kind, never by its label.
 */
import type { CustomFunctions } from "../functions/custom-functions";

export interface EnvironmentBadge {
  refresh(): void;
}

export function createEnvironmentBadge(badge: HTMLElement, functions: CustomFunctions): EnvironmentBadge {
  const kinds = readKinds();

  async function show(): Promise<void> {
    if (!functions.has("ENV")) return;
    const result = await functions.call({ id: "ENV", parameters: [] });
    if (result.kind !== "value" || typeof result.value !== "string") return;
    const name = result.value;
    badge.hidden = name === "";
    const label = document.createElement("span");
    label.textContent = "Environment: ";
    badge.replaceChildren(label, name);
    badge.dataset["kind"] = (await kinds).get(name) ?? "";
  }

  functions.onAssociate((id) => {
    if (id === "ENV") void show();
  });
  return { refresh: () => void show() };
}

/** Returns the kind by id and by label, from the list that the add-in also reads. */
async function readKinds(): Promise<ReadonlyMap<string, string>> {
  const kinds = new Map<string, string>();
  try {
    const response = await fetch("/environments.json");
    const file = (await response.json()) as {
      readonly environments?: readonly Readonly<Record<string, unknown>>[];
    };
    for (const { id, label, kind } of file.environments ?? []) {
      if (typeof kind !== "string") continue;
      for (const name of [id, label]) if (typeof name === "string") kinds.set(name, kind);
    }
  } catch {
    // Without the list, the badge shows only the name.
  }
  return kinds;
}
