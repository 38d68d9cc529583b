/** The provider of `provider-process.mjs`, and a person who uses it: fetch with a browser's cookies and redirects. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { movedArguments } from "./moved-date";

export interface ProviderProcess {
  readonly issuer: string;
  /** Sets groups by account, or whether the provider's pages are cut off from their opener. */
  change(to: Readonly<Record<string, readonly string[] | boolean>>): Promise<void>;
  /** Changes the provider's responses on the way, until the next change. */
  lie(lies: Lies, refusal?: ProviderRefusal | null): Promise<void>;
  stop(): void;
}

/** A field with null is removed from the response. */
export interface Lies {
  /** Changes to ID tokens, which are signed again. */
  readonly claims?: object;
  readonly head?: object;
  readonly signature?: "none" | "foreign";
  /** Changes to the token endpoint's responses. */
  readonly tokens?: object;
  readonly userInfo?: object;
  readonly configuration?: object;
}

/** A response that replaces the provider's. Without an error it gives no reason. */
export interface ProviderRefusal {
  readonly at: "/token" | "/me";
  readonly status: number;
  readonly error: string;
  /** Replaces the JSON with the error. */
  readonly body?: string;
}

export const clientId = "inv";
export const clientSecret = "the-secret-of-inv-at-the-provider";

export async function startProvider(backTo: readonly string[]): Promise<ProviderProcess> {
  const script = join(__dirname, "provider-process.mjs");
  const child = spawn(process.execPath, [...movedArguments(), script, ...backTo], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const issuer = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /^http:\/\/localhost:\d+$/m.exec(printed);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`The provider ended with ${String(code)}:\n${printed}`)));
  });
  const change = async (to: object) => {
    await fetch(`${issuer}/control`, { method: "POST", body: JSON.stringify(to) });
  };
  return {
    issuer,
    change,
    lie: (lies, refusal = null) => change({ lies, refusal }),
    stop: () => void child.kill(),
  };
}

/** The code challenge (SHA-256) of a verifier that a pane keeps. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** Logs in with this account at the provider. Resolves with the address that the provider redirects to. */
export async function logIn(authorization: string, account: string, refuse = false): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = authorization;
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer: Response = await fetch(url, {
      method: form === null ? "GET" : "POST",
      body: form,
      headers: { cookie },
      redirect: "manual",
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    form = null;
    if (location === null) {
      if (!answer.ok) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
      form = new URLSearchParams({ account, ...(refuse && { refuse: "1" }) });
      continue;
    }
    const next = new URL(location, url);
    if (next.origin !== new URL(authorization).origin) return next;
    url = next.href;
  }
  throw new Error("The provider never sends back.");
}
