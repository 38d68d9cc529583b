/**
 * The server's start: reads the settings, mounts the embedded service in process as the demo, opens the
 * port, and tells where to look. What it serves is put together in `app`. With `--fault-switches` the
 * demo can be told to fail on purpose; `npm start` says so, a team's server does not.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createDemoService } from "../service/demo/demo-service";
import { createApp } from "./app";
import { banner } from "./banner";
import { ConfigError, readConfig, type ServerConfig } from "./config";
import { addressFault, isPortTaken, openPort } from "./open-port";

void start();

async function start(): Promise<void> {
  try {
    const faultSwitches = readFlags(process.argv.slice(2));
    const config = readConfig(process.env);
    const demo = createDemoService({
      now: Date.now,
      random: Math.random,
      sleep: (waitMs) => sleep(waitMs, undefined),
      reportError: (error) => console.error("Error inside the demo service:", error),
    });
    const app = await createApp({
      config,
      demo: { ...demo, faultSwitches, announce: (line) => console.log(banner(line)) },
      folder: join(__dirname, "app"),
      now: Date.now,
      log: config.logCalls ? console.log : null,
    });
    const port = await openPort(app, config).catch((error: unknown) => {
      const fault = addressFault(error, config);
      throw fault === null ? error : new ConfigError(fault);
    });
    console.log(greeting(config, port));
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}

/** Whether fault switches are asked for. */
function readFlags(args: readonly string[]): boolean {
  try {
    const { values } = parseArgs({ args: [...args], options: { "fault-switches": { type: "boolean" } } });
    return values["fault-switches"] ?? false;
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

function greeting(config: ServerConfig, port: number): string {
  const address = `${config.tls === null ? "http" : "https"}://${config.host}:${port}`;
  const real = config.environments.map(({ label }) => label).join(", ");
  return [
    "",
    `INV is running at ${address}`,
    "",
    `  Browser workbook  ${address}/ (live values from the embedded service)`,
    `  Functions         ${address}/help`,
    `  Service           ${address}/docs`,
    `  Environments      Demo${real === "" ? "; sandbox and production: see INV_CONFIG in the README" : `, ${real}`}`,
    "",
    "  In real Excel     npm run excel (Windows and macOS)",
    "  Stop              Ctrl+C",
    "",
  ].join("\n");
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (isPortTaken(error)) {
    return `Port ${process.env.PORT ?? "3000"} is taken by another program. Stop it, or choose another: PORT=3001 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
