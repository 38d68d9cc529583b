/** Which parts of the file belong to a part: by relation, as the format wants it, not by usual names. */
import { attribute, readXml } from "./xml";
import type { Zip } from "./zip";

export interface Relation {
  readonly id: string;
  /** The last word of its type: `worksheet`, `comments`. */
  readonly kind: string;
  /** Name of the part; of an external one, what the file says. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** @param part "" for the file as a whole */
export async function relationsOf(zip: Zip, part: string): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf("/");
  const folder = part.slice(0, slash + 1);
  const name = `${folder}_rels/${part.slice(slash + 1)}.rels`;
  if (!zip.has(name)) return [];
  const relations: Relation[] = [];
  await readXml(name, await zip.text(name), {
    open(element, attributes) {
      if (element !== "Relationship") return;
      const target = attribute(attributes, "Target") ?? "";
      const isExternal = attribute(attributes, "TargetMode") === "External";
      relations.push({
        id: attribute(attributes, "Id") ?? "",
        kind: (attribute(attributes, "Type") ?? "").split("/").at(-1) ?? "",
        target: isExternal ? target : resolved(folder, target),
        isExternal,
      });
    },
  });
  return relations;
}

/** The part's whole name; a way out of the file leads to a name that no part has. */
function resolved(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const steps = folder.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}
