/**
 * A team's server that people sign in to, as three processes on this machine: a provider, the embedded service with the
 * supplier's credentials, and INV between them, at an address that all of them know beforehand.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../helpers/free-port";
import { clientId, clientSecret, type ProviderProcess, startProvider } from "../helpers/provider";
import { type ServerProcess, startServer, trialEnvironment } from "../helpers/server-process";

export interface SignInBed {
  readonly inv: ServerProcess;
  readonly provider: ProviderProcess;
  stop(): Promise<void>;
}

export async function startSignInBed(changes: object = {}): Promise<SignInBed> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const provider = await startProvider([`${address}/sign-in/back`]);
  const service = await startServer("service");
  const folder = mkdtempSync(join(tmpdir(), "inv-sign-in-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const trial = {
    ...trialEnvironment(service.origin),
    credentials: "server",
    clientId: "demo-consumer",
    secretFile: file("service", "demo-secret\n"),
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
    async stop() {
      await Promise.all([inv.stop(), service.stop()]);
      provider.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
