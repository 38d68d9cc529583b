/**
 * Shows the environment of the workbook's numbers, from the add-in itself (INV.ENV), also while the pane is hidden.
 * Production is recognized by its kind, never by its label.
 */
import type { CustomFunctions } from "../functions/custom-functions";
import { field, text } from "../json-fields";

export interface EnvironmentBadge {
  refresh(): void;
}

/** @param environments the answer of `/environments.json` */
export function createEnvironmentBadge(
  badge: HTMLElement,
  functions: CustomFunctions,
  environments: Promise<unknown>,
): EnvironmentBadge {
  const kinds = readKinds(environments);

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

/** Returns the kind by id and by label, from the list that the add-in also reads. Without it, the map is empty. */
async function readKinds(environments: Promise<unknown>): Promise<ReadonlyMap<string, string>> {
  const list = field(await environments.catch(() => null), "environments");
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return new Map(
    entries.flatMap((entry) =>
      ["id", "label"].map((name) => [text(field(entry, name)), text(field(entry, "kind"))] as const),
    ),
  );
}
