/**
 * Names for lists: why Excel refuses a name, and the nearest allowed one. Every formula would treat a name that looks like a
 * cell address (`TOP25`, `R1C1`) as that cell.
 */
import { referenceIn } from "../../formula/references";
import type { ListKind } from "./lists";

export interface NameRefusal {
  readonly reason: string;
  readonly proposal: string;
}

const limit = 255;
const startWords: Readonly<Record<ListKind, string>> = { stores: "Stores", items: "Items" };

/**
 * Returns null for an allowed name.
 * @param namesInUse names in use: those of the workbook, its sheets and its tables
 */
export function checkListName(
  name: string,
  { kind, namesInUse }: { readonly kind: ListKind; readonly namesInUse: readonly string[] },
): NameRefusal | null {
  const used = new Set(namesInUse.map((each) => each.toLowerCase()));
  const reason = reasonAgainst(name, used);
  return reason === null ? null : { reason, proposal: proposedName(name, kind, used) };
}

function reasonAgainst(name: string, used: ReadonlySet<string>): string | null {
  if (name === "") return "Give the list a name.";
  if (name.length > limit) return `A name has at most ${limit} characters; this one has ${name.length}.`;
  if (/\s/.test(name)) return "A name has no spaces.";
  if (!/^[\p{L}_]/u.test(name)) return "A name begins with a letter or an underscore.";
  const [odd] = /[^\p{L}\p{N}_.]/u.exec(name) ?? [];
  if (odd !== undefined) {
    return `A name has letters, digits, points and underscores, but not "${odd}".`;
  }
  if (referenceIn(name) !== null) return `${name.toUpperCase()} is the address of a cell.`;
  if (isRowColumn(name)) return `${name} looks like a cell's row and column (R1C1).`;
  if (/^(?:true|false)$/i.test(name)) return `${name.toUpperCase()} is a value.`;
  if (/^inv\./i.test(name)) return "Names that begin with INV. are INV's functions.";
  if (used.has(name.toLowerCase())) return `The workbook already uses the name "${name}".`;
  return null;
}

function proposedName(name: string, kind: ListKind, used: ReadonlySet<string>): string {
  const start = startWords[kind];
  const tidy = name
    .replace(/[^\p{L}\p{N}_.]+/gu, "_")
    .replace(/_{2,}/g, "_")
    .replace(/^[_.]+|[_.]+$/g, "")
    .slice(0, limit - start.length - 6);
  const lawful = tidy === "" ? start : reasonAgainst(tidy, new Set()) === null ? tidy : `${start}_${tidy}`;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? lawful : `${lawful}_${number}`;
    if (reasonAgainst(candidate, used) === null) return candidate;
  }
}

/**
 * Returns whether the name is an R1C1 address, including German, French and Spanish letters, because a colleague's Excel may
 * have another language.
 */
function isRowColumn(name: string): boolean {
  return /^(?:[RZLF]\d*)?(?:[CS]\d*)?$/i.test(name);
}
