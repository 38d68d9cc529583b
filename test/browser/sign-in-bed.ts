/**
 * A team's server that people sign in to, as three processes on this machine: a provider, the embedded service with the
 * supplier's credentials, and INV between them. All processes know INV's address before it starts.
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
import { button, openTab } from "./pane-parts";
import type { OpenOptions } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

/** The supplier's secret at the service. The embedded service's own secret is public. */
export const serviceSecret = "the-secret-of-the-supplier";

export interface SignInBed {
  /** Tokens that the service issued, in order. */
  readonly serviceTokens: readonly string[];
  readonly inv: Pick<ServerProcess, "origin" | "output">;
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
    secret: `file:${file("service", `${serviceSecret}\n`)}`,
  };
  const signIn = {
    label: "ACME",
    address,
    issuer: provider.issuer,
    clientId,
    secret: `file:${file("provider", clientSecret)}`,
    scopes: ["openid", "profile", "groups"],
    allow: { claim: "groups", values: ["inv-users"] },
    ...changes,
  };
  const inv = await startServer("server", {
    arguments: ["--unattended"],
    settings: { environments: [trial], demo: true, signIn },
    variables: { PORT: String(port) },
  });
  return {
    inv: { origin: address, output: inv.output },
    provider,
    serviceTokens: gate.tokens,
    async stop() {
      gate.close();
      await Promise.all([inv, service].map((each) => each.stop()));
      provider.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Lets the pages of a context reach the provider. */
export function letReachProvider(bed: SignInBed, context: BrowserContext): Promise<unknown> {
  return context.route(
    (url) => url.origin === bed.provider.issuer,
    (route) => route.continue(),
  );
}

/** Opens the pane's Settings and chooses the environment that people sign in to. Lets the pages reach the provider. */
export async function chooseTrial(bed: SignInBed, context: BrowserContext, pane: Frame): Promise<void> {
  await letReachProvider(bed, context);
  await openTab(pane, "Settings");
  await pane.locator("#inv-environment").selectOption("trial");
}

/** The provider's accounts. */
type Account = keyof typeof names;
const names = { jane: "Jane Doe", joe: "Joe Bloggs" };

/** The browser workbook with the pane at its Settings, before anybody has signed in. */
export interface SignInWorkbook extends WorkbookPage {
  readonly paneFrame: Frame;
  /** Signs in through the provider's window. */
  signIn(account?: Account): Promise<void>;
  /** Writes a formula for an item of this store into the first column of the empty sheet. */
  ask(row: number, store: number): Promise<void>;
}

export async function openSignedOut(bed: SignInBed, options: OpenOptions = {}): Promise<SignInWorkbook> {
  const workbook = await openScratch(options, `${bed.inv.origin}/`);
  const paneFrame = workbook.pane();
  await chooseTrial(bed, workbook.page.context(), paneFrame);
  return {
    ...workbook,
    paneFrame,
    async signIn(account = "jane") {
      const [window] = await Promise.all([
        workbook.page.waitForEvent("popup"),
        signInButton(paneFrame).click(),
      ]);
      await logIn(window, account);
      await paneFrame.getByText(`Signed in as ${names[account]}`).waitFor();
    },
    ask: (row, store) => workbook.write([scratch, row, 0], [[`=INV.QTY(${store},"00012345678905")`]]),
  };
}

export const signInButton = (pane: Frame) => button(pane, "Sign in at ACME");

export async function logIn(window: Page, account = "jane"): Promise<void> {
  await window.locator("input[name=account]").fill(account);
  await window.keyboard.press("Enter");
}

/** A proxy before the service's token address. It accepts only the supplier's secret and replaces it with the public one. */
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
