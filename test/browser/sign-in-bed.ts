/**
 * A team's server that people sign in to, as three processes on this machine: a provider, the embedded service with the
 * supplier's credentials, and INV between them, at an address that all of them know beforehand.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { BrowserContext, Frame, Page } from "playwright-core";
import { freePort } from "../helpers/free-port";
import { clientId, clientSecret, type ProviderProcess, startProvider } from "../helpers/provider";
import { type ServerProcess, startServer, trialEnvironment } from "../helpers/server-process";
import { openTab } from "./pane-parts";

/** Of the supplier at the service; the embedded one's own is public. */
export const serviceSecret = "the-secret-of-the-supplier";

export interface SignInBed {
  /** That the service gave, in order. */
  readonly serviceTokens: readonly string[];
  readonly inv: ServerProcess;
  readonly provider: ProviderProcess;
  stop(): Promise<void>;
}

export async function startSignInBed(changes: object = {}): Promise<SignInBed> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const provider = await startProvider([`${address}/sign-in/back`]);
  const service = await startServer("service");
  const open = trialEnvironment(service.origin);
  const gate = await startTokenGate(open.tokenUrl);
  const folder = mkdtempSync(join(tmpdir(), "inv-sign-in-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const trial = {
    ...open,
    tokenUrl: gate.url,
    credentials: "server",
    clientId: "demo-consumer",
    secretFile: file("service", `${serviceSecret}\n`),
  };
  const signIn = {
    label: "ACME",
    address,
    issuer: provider.issuer,
    clientId,
    secretFile: file("provider", clientSecret),
    scopes: ["openid", "profile", "groups"],
    allow: { claim: "groups", values: ["inv-users"] },
    ...changes,
  };
  const config = file("inv.json", JSON.stringify({ environments: [trial], signIn }));
  const inv = await startServer("server", {
    arguments: ["--config", config, "--unattended"],
    variables: { PORT: String(port) },
  });
  return {
    inv,
    provider,
    serviceTokens: gate.tokens,
    async stop() {
      gate.close();
      await Promise.all([inv.stop(), service.stop()]);
      provider.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The pane at its Connect tab with the environment chosen that people sign in to; its pages reach the provider. */
export async function chooseTrial(bed: SignInBed, context: BrowserContext, pane: Frame): Promise<void> {
  await context.route(
    (url) => url.origin === bed.provider.issuer,
    (route) => route.continue(),
  );
  await openTab(pane, "Connect");
  await pane.locator("#inv-environment").selectOption("trial");
}

/** The provider's form, in the window or dialog. */
export async function logIn(window: Page, account = "jane"): Promise<void> {
  await window.locator("input[name=account]").fill(account);
  await window.keyboard.press("Enter");
}

/** Stands before the service's token address: a secret that nobody knows in place of the public one. */
async function startTokenGate(tokenUrl: string) {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const isRight = new URLSearchParams(body).get("client_secret") === serviceSecret;
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const form = isRight ? body.replace(serviceSecret, "demo-secret") : body;
      const answer = await fetch(tokenUrl, { method: "POST", headers, body: form });
      const given = await answer.text();
      const { access_token } = JSON.parse(given) as { access_token?: string };
      if (access_token !== undefined) tokens.push(access_token);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(given);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    tokens,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
