/**
 * Reads and checks `environments.json`, the list of environments that is served next to the add-in. An entry
 * that this version can't use is listed with the reason.
 */
import type { Transport } from "../api/transport";
import * as z from "../domain/zod";
import type { EnvironmentEntry, UnconfiguredEnvironment } from "../domain/environment";
import { InvError } from "../domain/errors";
import { parsedJson } from "../domain/json";

const text = z.string().check(z.minLength(1));
const kind = z.enum(["demo", "file", "sandbox", "production"]);
const callsPerMinute = z.int().check(z.positive());
const account = z.object({
  name: text,
  supplierName: z.string(),
  consumerId: text,
  clientSecret: text,
});
const environment = z.object({
  id: text,
  label: text,
  kind,
  tokenUrl: text,
  searchUrl: text,
  eventsUrl: text,
  quota: z.object({ search: callsPerMinute, events: callsPerMinute }),
  pacedBy: z.optional(z.literal("server")),
  credentials: z.enum(["user", "server"]),
  signIn: z.optional(z.object({ at: text, url: text })),
  accounts: z.optional(z.array(account).check(z.minLength(1))),
  embedded: z.optional(z.literal(true)),
  testCredentials: z.optional(z.object({ consumerId: text, clientSecret: text })),
});
const unconfigured = z.object({
  id: text,
  label: text,
  kind,
  configured: z.literal(false),
  missing: text,
});
const file = z.object({ environments: z.array(z.unknown()).check(z.minLength(1)) });
const named = z.object({ id: text, label: text, kind });

/** Checks the content and makes addresses absolute. Throws an InvError. */
export function readEnvironments(content: unknown, baseUrl: string): EnvironmentEntry[] {
  const parsed = z.safeParse(file, content);
  if (!parsed.success) {
    throw unreadable("it has no list of environments");
  }
  const entries = parsed.data.environments.map((entry) => readEntry(entry, baseUrl));
  const ids = entries.map((entry) => entry.id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw unreadable(`the id "${repeated}" is used twice`);
  return entries;
}

/** Fetches and checks the file. Rejects with an InvError. */
export async function loadEnvironments(transport: Transport, request: Request): Promise<EnvironmentEntry[]> {
  const unreachable = (cause: unknown): never => {
    throw new InvError(
      "unreachable",
      "INV couldn't read its list of environments (environments.json). Check your network connection, then try again.",
      { cause },
    );
  };
  const response = await transport(request).catch(unreachable);
  if (!response.ok) {
    throw new InvError(
      "wrong-address",
      `INV's server has no list of environments (environments.json): status ${response.status}. Ask your administrator.`,
      { httpStatus: response.status },
    );
  }
  // A list that arrives late, or only in part, isn't a faulty one.
  const text = await response.text().catch(unreachable);
  return readEnvironments(parsedJson(text), request.url);
}

function readEntry(entry: unknown, baseUrl: string): EnvironmentEntry {
  const off = z.safeParse(unconfigured, entry);
  if (off.success) return off.data;
  const name = z.safeParse(named, entry);
  if (!name.success) throw unreadable("an environment has no id, label or kind");
  const { id, label } = name.data;
  const unusable = (missing: string): UnconfiguredEnvironment => ({
    ...name.data,
    configured: false,
    missing,
  });
  const full = z.safeParse(environment, entry);
  if (!full.success) {
    const where = full.error.issues[0]?.path.join(".") ?? id;
    return unusable(`Ask your administrator to correct "${where}" of ${label} in environments.json.`);
  }
  const data = full.data;
  const signInUrl = data.signIn && absolute(data.signIn.url, baseUrl);
  if (data.credentials === "server" && !signInUrl) {
    return unusable(`People sign in to this environment. Ask your administrator to set up the sign-in.`);
  }
  const urls = [data.tokenUrl, data.searchUrl, data.eventsUrl].map((url) => absolute(url, baseUrl));
  const [tokenUrl, searchUrl, eventsUrl] = urls;
  if (!tokenUrl || !searchUrl || !eventsUrl) {
    return unusable(`Ask your administrator to correct the addresses of ${label} in environments.json.`);
  }
  const { accounts, testCredentials, signIn, ...rest } = data;
  const usable = {
    ...rest,
    tokenUrl,
    searchUrl,
    eventsUrl,
    ...(signIn && signInUrl && { signIn: { at: signIn.at, url: signInUrl } }),
  };
  // Accounts and test credentials are public only for sample stock, and for figures that only this machine reaches.
  return {
    ...usable,
    ...((data.kind === "demo" || data.kind === "file") && accounts && { accounts }),
    ...(data.embedded && testCredentials && { testCredentials }),
  };
}

function absolute(url: string, baseUrl: string): string | null {
  if (!URL.canParse(url, baseUrl)) return null;
  const { href, protocol } = new URL(url, baseUrl);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

function unreadable(fault: string): InvError {
  return new InvError(
    "bad-answer",
    `INV couldn't read environments.json: ${fault}. Ask your administrator to correct it.`,
  );
}
