/** Reads what INV needs from Redis's `INFO`. */

const oldestVersion = 7;

/** Returns why this Redis can't be used, in words, or null. */
export function faultOfInfo(info: string): string | null {
  const role = fieldOf(info, "role");
  return role === "master" ? null : "it follows another one and takes no writes";
}

/** Returns all reasons why this Redis can't be used, including settings that an administrator has to change. */
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
    ...(Number.parseInt(version, 10) >= oldestVersion
      ? []
      : [`it is version ${version}, and INV needs ${oldestVersion} or later`]),
    ...(policy === null ? [] : [policy]),
    // 0 means no limit. Other keys than answers need some room too.
    ...(maxBytes === 0 || maxBytes > cacheMegabytes * 1_048_576
      ? []
      : [
          `its maxmemory is ${Math.floor(maxBytes / 1_048_576)} MB, and must be more than cacheMegabytes (${cacheMegabytes})`,
        ]),
  ];
}

/** A Redis that evicts keys would forget calls that count against the quota. */
export function policyFault(info: string): string | null {
  const policy = fieldOf(info, "maxmemory_policy") ?? "";
  return policy === "noeviction" ? null : `its maxmemory-policy is ${policy}, and must be noeviction`;
}

function fieldOf(info: string, name: string): string | null {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null;
}
