/** The provider of `provider-process.mjs`, and a person before it: a browser's cookies and redirects, by fetch. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { movedArguments } from "./moved-date";

export interface ProviderProcess {
  readonly issuer: string;
  /** Groups by account, from now on; and whether its pages are cut off from whoever opened them. */
  change(to: Readonly<Record<string, readonly string[] | boolean>>): Promise<void>;
  stop(): void;
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
  return {
    issuer,
    async change(to) {
      await fetch(`${issuer}/control`, { method: "POST", body: JSON.stringify(to) });
    },
    stop: () => void child.kill(),
  };
}

/** Logs in there as this account; resolves with the address that the provider sends back to. */
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
