/** Finds the parts that belong to a part by their relations, as the file format requires, not by their usual names. */
import { attribute, readXml } from "./xml";
import type { Zip } from "./zip";

export interface Relation {
  readonly id: string;
  /** The last word of the relation's type: `worksheet`, `comments`. */
  readonly kind: string;
  /** Name of the part. If it is external, the text in the file. */
  readonly target: string;
}

/** @param part "" for the whole file */
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
      });
    },
  });
  return relations;
}

/** Returns the part's full name. A path that leads out of the file gives a name that no part has. */
function resolved(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const steps = folder.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}
