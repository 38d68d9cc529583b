/**
 * Starts the server: reads the settings, opens the ports, and prints the address. `app` assembles the server
 * itself.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import packageFacts from "../../package.json";
import { isInvError } from "../domain/errors";
import { unawaited } from "../domain/unawaited";
import { createApp } from "./app";
import { type CommandLine, helpText, readCommandLine } from "./command-line";
import { hostInAddress } from "./edge/hosts";
import { createEmbedded, type Embedded } from "./embedded";
import { type EmbeddedEnvironment, isOffered } from "./environments";
import { chooseFigures } from "./figures/own-figures";
import { readFigures } from "./figures/read-figures";
import { createLog } from "./monitoring/log";
import { closeAtEnd, openPort } from "./open-port";
import { ConfigError } from "./settings/config-error";
import { readSettings, type ServerConfig } from "./settings/read";
import { createSteadyClock, watchForStalls } from "./steady-clock";
import { tryConnections } from "./try-connections";

const noFile = "A team's server needs a configuration file: --config FILE.";

const leftOverMs = 3_000;

const steadyClock = createSteadyClock(() => performance.now());

unawaited(start());

async function start(): Promise<void> {
  try {
    const commandLine = readCommandLine(process.argv.slice(2));
    if (commandLine.help) {
      console.log(helpText());
      return;
    }
    const { config: path } = commandLine;
    if (commandLine.unattended && path === null) throw new ConfigError(noFile);
    const warnings: string[] = [];
    const config = readSettings(
      { path, variables: process.env },
      { isCheck: commandLine.check, warn: (warning) => warnings.push(warning) },
    );
    await (commandLine.check ? check : serve)({ config, warnings, commandLine });
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
    // Everything that was opened is closed by now. If something is left, it must not keep a process without a server alive.
    setTimeout(() => process.exit(), leftOverMs).unref();
  }
}

interface Given {
  readonly config: ServerConfig;
  readonly warnings: readonly string[];
  readonly commandLine: CommandLine;
}

async function serve({ config, warnings, commandLine }: Given): Promise<void> {
  const { faultSwitches, unattended } = commandLine;
  const log = createLog(unattended ? config.logLevel : "silent");
  // A server in a terminal has no load balancer, and a person would have to wait for it to stop.
  const noticeMs = unattended ? config.stopNoticeSeconds * 1_000 : 0;
  let isStopping = false;
  const reportError = (error: unknown, what: string): void => {
    if (unattended) log.error(error, what);
    else console.error(`${what}:`, error);
  };
  const embedded = await createEmbedded({
    figures: chooseFigures(commandLine, config),
    sharedBy: config.redis?.prefix ?? null,
    reportError: (error) => reportError(error, "Error inside the embedded service"),
  });
  for (const warning of [...warnings, ...(embedded.report?.warnings ?? [])]) {
    if (unattended) log.warn({}, warning);
    else console.warn(`Warning: ${warning}`);
  }
  const app = await createApp({
    config,
    embedded: {
      ...embedded,
      faultSwitches,
      announce: (line) => console.log(banner(line)),
    },
    folder: join(__dirname, "app"),
    now: steadyClock.now,
    log,
    isStopping: () => isStopping,
  });
  let port: number;
  try {
    port = await openPort(app, { setting: "port", host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  closeAtEnd(app, {
    reportError: (error) => reportError(error, "INV stops because of an error"),
    async beforeStop(signal) {
      log.info({ signal }, "INV is stopping");
      // From here on `/readyz` answers 503, so by the time the port closes, a load balancer no longer sends requests here.
      isStopping = true;
      await sleep(noticeMs);
    },
    noticeMs,
    // A terminal that is closed sends the same signal, and then the server should end.
    onReload: unattended
      ? () => {
          log.info({}, "INV looks at its certificate and its secrets.");
          app.core.rounds.now();
        }
      : undefined,
  });
  watchForStalls(steadyClock, log);
  const metrics = app.monitoring === undefined ? null : `${app.monitoring.listeningOrigin}/metrics`;
  const address = `${config.tls === null ? "http" : "https"}://${hostInAddress(config.host)}:${port}`;
  if (!unattended) console.log(greeting({ address, metrics, config, embedded }));
  else {
    log.info(
      {
        version: packageFacts.version,
        address,
        ...(metrics !== null && { metrics }),
        environments: config.environments.map(({ id }) => id),
      },
      "INV is running",
    );
  }
}

async function check({ config, warnings, commandLine }: Given): Promise<void> {
  const { config: path, connect } = commandLine;
  const figures = chooseFigures(commandLine, config);
  const ofFigures = figures === null ? [] : (await readFigures(figures, Date.now())).warnings;
  for (const warning of [...warnings, ...ofFigures]) console.warn(`Warning: ${warning}`);
  if (connect) {
    const tried = await tryConnections(config, steadyClock);
    for (const { what, faults } of tried) console.log(`${faults.length === 0 ? "ok" : "--"}  ${what}`);
    const faults = tried.flatMap((each) => each.faults);
    if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  }
  console.log(`${path ?? "The configuration"} is right.`);
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || isInvError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface GreetingFacts {
  readonly address: string;
  readonly metrics: string | null;
  readonly config: Pick<ServerConfig, "environments" | "demo">;
  readonly embedded: Pick<Embedded, "worlds" | "report">;
}

function greeting({ address, metrics, config, embedded: { worlds, report } }: GreetingFacts): string {
  const offered = worlds.map(({ environment }) => environment).filter((each) => isOffered(each, config));
  const configured = config.environments.map(({ label }) => label);
  const lines = [...configured, ...offered.map(environmentLine)];
  return [
    "",
    `INV ${packageFacts.version} is running at ${address}`,
    "",
    `  Browser workbook  ${address}/${valuesWords(offered)}`,
    `  Functions         ${address}/help`,
    ...(metrics === null ? [] : [`  Metrics           ${metrics}`]),
    ...lines.map((line, index) => `  ${(index === 0 ? "Environments" : "").padEnd(17)} ${line}`),
    ...(configured.length === 0
      ? [`  Your own          npm run --silent serve -- --example > inv.json (docs/install.md)`]
      : []),
    ...(report === null ? [] : [`  Figures           ${report.contents}`]),
    "",
    "  In real Excel     npm run excel (Windows and macOS)",
    "  Stop              Ctrl+C",
    "",
  ].join("\n");
}

function valuesWords(offered: readonly EmbeddedEnvironment[]): string {
  return offered.some(({ kind }) => kind === "demo") ? " (live values from the demo)" : "";
}

function environmentLine({ label, kind, testCredentials }: EmbeddedEnvironment): string {
  if (kind === "demo") return `${label}: no credentials needed`;
  if (testCredentials === undefined) return label;
  const { consumerId, clientSecret } = testCredentials;
  return `${label}: consumer ID ${consumerId}, client secret ${clientSecret}`;
}

/** Frames a line so that it stands out in the terminal, for example about fault switches. */
function banner(line: string): string {
  const rule = "!".repeat(Math.min(100, line.length + 8));
  return `\n${rule}\n!!  ${line}\n${rule}\n`;
}
