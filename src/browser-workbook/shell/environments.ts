/**
 * The environments of the server: the first one, with which the page starts, and the label in the bar that shows the
 * environment of the workbook's numbers, also while the pane is hidden. Each environment has its own workbook on this
 * device, so that figures never mix.
 */
import { isEmbedded } from "../../domain/environment";
import * as z from "../../domain/zod";
import type { ShownStock } from "../../workbook/browser-host";

const list = z.object({
  environments: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["demo", "file", "sandbox", "production"]),
      embedded: z.optional(z.literal(true)),
      configured: z.optional(z.literal(false)),
    }),
  ),
});

export interface FirstEnvironment {
  readonly id: string;
  /** Whether its service is embedded, and so lists stores and items for the start sheets. */
  readonly isEmbedded: boolean;
}

/**
 * Returns the demo or stock file of the embedded service; without one, the server's first environment.
 * @param answer of `/environments.json`; if it can't be read, the demo
 */
export async function firstEnvironment(answer: Promise<unknown>): Promise<FirstEnvironment> {
  const { data } = z.safeParse(list, await answer.catch(() => null));
  const environments = data?.environments ?? [];
  const first = environments.find(isEmbedded) ?? environments.find(({ configured }) => configured !== false);
  return first === undefined
    ? { id: "demo", isEmbedded: true }
    : { id: first.id, isEmbedded: isEmbedded(first) };
}

/** Production is recognized by its kind, never by its name. */
export function showEnvironment(badge: HTMLElement, environment: ShownStock["environment"]): void {
  badge.hidden = environment === null;
  if (environment === null || badge.dataset["id"] === environment.id) return;
  badge.dataset["id"] = environment.id;
  badge.dataset["kind"] = environment.kind;
  const title = document.createElement("span");
  title.textContent = "Environment: ";
  badge.replaceChildren(title, environment.id);
}
