/**
 * The environments of the server: the first one, with which the page starts, and the label in the bar that shows the
 * environment of the workbook's numbers, also while the pane is hidden. Each environment has its own workbook on this
 * device, so that figures never mix.
 */
import { isEmbedded } from "../../domain/environment";
import * as z from "../../domain/zod";
import type { CustomFunctions } from "../functions/custom-functions";

const list = z.object({
  environments: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      kind: z.enum(["demo", "file", "sandbox", "production"]),
      embedded: z.optional(z.literal(true)),
      configured: z.optional(z.literal(false)),
    }),
  ),
});

type ListedEnvironment = z.infer<typeof list>["environments"][number];

export interface FirstEnvironment {
  readonly id: string;
  /** Whether its service is embedded, and so lists stores and items for the start sheets. */
  readonly isEmbedded: boolean;
}

/** @param answer of `/environments.json`; the list is empty if it can't be read */
export async function readEnvironments(answer: Promise<unknown>): Promise<readonly ListedEnvironment[]> {
  const parsed = z.safeParse(list, await answer.catch(() => null));
  return parsed.success ? parsed.data.environments : [];
}

/** Returns the demo or stock file of the embedded service; without one, the server's first environment. */
export function firstEnvironment(environments: readonly ListedEnvironment[]): FirstEnvironment {
  const first = environments.find(isEmbedded) ?? environments.find(({ configured }) => configured !== false);
  return first === undefined
    ? { id: "demo", isEmbedded: true }
    : { id: first.id, isEmbedded: isEmbedded(first) };
}

/**
 * Shows what INV.ENV returns. Production is recognized by its kind, never by its label.
 * Returns the function that reads the environment again.
 */
export function showEnvironment(
  badge: HTMLElement,
  functions: CustomFunctions,
  environments: Promise<readonly ListedEnvironment[]>,
): () => void {
  async function show(): Promise<void> {
    if (!functions.has("ENV")) return;
    const result = await functions.call({ id: "ENV", parameters: [] });
    if (result.kind !== "value" || typeof result.value !== "string") return;
    const name = result.value;
    badge.hidden = name === "";
    const title = document.createElement("span");
    title.textContent = "Environment: ";
    badge.replaceChildren(title, name);
    const shown = (await environments).find(({ id, label }) => id === name || label === name);
    badge.dataset["kind"] = shown?.kind ?? "";
  }

  functions.onAssociate((id) => {
    if (id === "ENV") void show();
  });
  return () => void show();
}
