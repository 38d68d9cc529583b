/** What Redis tells of itself (`INFO`), as far as INV asks. */

const oldest = 7;

/** Why this one cannot be used, in words; null where it can. */
export function faultOfInfo(info: string): string | null {
  const role = fieldOf(info, "role");
  return role === "master" ? null : "it follows another one and takes no writes";
}

/** The same, and what an administrator has to mend before the start. */
export function faultsOfInfo(
  info: string,
  { cacheMegabytes }: { readonly cacheMegabytes: number },
): readonly string[] {
  const role = faultOfInfo(info);
  const version = fieldOf(info, "redis_version") ?? "";
  const policy = policyFault(info);
  const maxBytes = Number(fieldOf(info, "maxmemory") ?? 0);
  return [
    ...(role === null ? [] : [role]),
    ...(Number.parseInt(version, 10) >= oldest
      ? []
      : [`it is version ${version}, and INV needs ${oldest} or later`]),
    ...(policy === null ? [] : [policy]),
    // 0 sets no limit. What is not answers needs some room too.
    ...(maxBytes === 0 || maxBytes > cacheMegabytes * 1_048_576
      ? []
      : [
          `its maxmemory is ${Math.floor(maxBytes / 1_048_576)} MB, and must be more than cacheMegabytes (${cacheMegabytes})`,
        ]),
  ];
}

/** One that drops keys would forget what counts against the quota. */
export function policyFault(info: string): string | null {
  const policy = fieldOf(info, "maxmemory_policy") ?? "";
  return policy === "noeviction" ? null : `its maxmemory-policy is ${policy}, and must be noeviction`;
}

function fieldOf(info: string, name: string): string | null {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null;
}
