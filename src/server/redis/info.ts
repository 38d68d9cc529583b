/** What Redis tells of itself (`INFO`), as far as INV asks. */

/** Why this one cannot be used, in words; null where it can. */
export function faultOfInfo(info: string): string | null {
  const role = fieldOf(info, "role");
  return role === "master" ? null : "it follows another one and takes no writes";
}

function fieldOf(info: string, name: string): string | null {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null;
}
