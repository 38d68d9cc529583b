/** What is read rightly but is not written as its neighbours are: the same for every column of items. */
import type { Plain } from "../bad-argument";
import type { CellFinding } from "./finding";

/** @param isMixed whether the column holds texts and numbers; null for a value that stands as it should */
export function untidyFinding(value: Plain, meant: string, isMixed: boolean): CellFinding | null {
  const untidy = { severity: "note", meant, sure: true } as const;
  if (typeof value === "string" && value !== meant) {
    return { ...untidy, fault: "spaces", advice: "Write it without spaces or marks around its digits." };
  }
  if (typeof value === "number" && isMixed) {
    const advice = "A number among texts: a lookup or a sort takes them for different items.";
    return { ...untidy, fault: "mixed-types", advice };
  }
  return null;
}
