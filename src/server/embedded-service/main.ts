/**
 * `npm run service`: serves only the embedded service, on loopback. Prints its address, its account, and
 * active fault switches.
 */
import { tokenPath } from "../../embedded-service/service";
import { createEmbedded } from "../embedded";
import type { EmbeddedEnvironment } from "../environments";
import { banner } from "../greeting";
import { closeAtEnd, isPortTaken, openPort } from "../open-port";
import { ConfigError } from "../settings/config-error";
import { faultLine } from "./fault-routes";
import { readServiceFlags, type ServiceFlags, serviceUsage } from "./flags";
import { prefixOf } from "./routes";
import { createServiceServer } from "./server";

void start(process.argv.slice(2));

async function start(args: readonly string[]): Promise<void> {
  try {
    const flags = readServiceFlags(args);
    if (flags.help) console.log(serviceUsage);
    else await serve(flags);
  } catch (error) {
    console.error(explain(error, args));
    process.exitCode = 1;
  }
}

async function serve(flags: ServiceFlags): Promise<void> {
  const { seed = 1, tokenLifetime, rate } = flags;
  const embedded = await createEmbedded({
    seed,
    tokenLifetimeSeconds: tokenLifetime,
    ratePerMinute: rate,
    reportError: (error) => console.error("Error inside the service:", error),
  });
  embedded.faults.set({ latencyMs: flags.latency, fail: flags.fail });
  const announce = (line: string) => console.log(banner(line));
  const server = await createServiceServer({ ...embedded, faultSwitches: true, announce });
  const port = await openPort(server, { host: "127.0.0.1", port: flags.port });
  closeAtEnd(server, {
    reportError: (error) => console.error("The service stops because of an error:", error),
  });
  console.log(
    [
      "",
      `The service is running at http://localhost:${port}`,
      "",
      ...embedded.worlds.flatMap(({ environment }) => worldLines(`http://localhost:${port}`, environment)),
      `  OpenAPI   http://localhost:${port}/openapi.json`,
      "",
      "  Stop      Ctrl+C",
      "",
    ].join("\n"),
  );
  if (embedded.faults.describe() !== null) console.log(banner(faultLine(embedded.faults)));
}

function worldLines(origin: string, environment: EmbeddedEnvironment): string[] {
  const base = origin + prefixOf(environment);
  const account = environment.accounts?.[0] ?? environment.testCredentials;
  return [
    `  ${environment.label}`,
    ...(account
      ? [`    Account  consumer ID ${account.consumerId}, client secret ${account.clientSecret}`]
      : []),
    `    Token    POST ${base}${tokenPath}`,
    `    Search   POST ${base}/search-items`,
    `    Events   GET  ${base}/events`,
    `    Stores, items, other accounts  ${base}/demo-data`,
    "",
  ];
}

function explain(error: unknown, args: readonly string[]): string {
  if (error instanceof ConfigError) return error.message;
  if (isPortTaken(error)) {
    const { port } = readServiceFlags(args);
    return `Port ${port} is taken by another program. Stop it, or choose another: npm run service -- --port ${port + 1}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
