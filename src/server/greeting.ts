/** Texts for the terminal: the greeting when a server has started, and a frame around important lines. */
import packageFacts from "../../package.json";
import type { Embedded } from "./embedded";
import { type EmbeddedEnvironment, isOffered } from "./environments";
import type { ServerConfig } from "./settings/read";

export interface GreetingFacts {
  readonly address: string;
  readonly metrics: string | null;
  readonly config: Pick<ServerConfig, "environments" | "demo">;
  readonly embedded: Pick<Embedded, "worlds" | "report">;
}

export function greeting({ address, metrics, config, embedded: { worlds, report } }: GreetingFacts): string {
  const offered = worlds.map(({ environment }) => environment).filter((each) => isOffered(each, config));
  const own = config.environments.map(({ label }) => label);
  const lines = [...own, ...offered.map(environmentLine)];
  return [
    "",
    `INV ${packageFacts.version} is running at ${address}`,
    "",
    `  Browser workbook  ${address}/${valuesWords(offered)}`,
    `  Functions         ${address}/help`,
    ...(metrics === null ? [] : [`  Metrics           ${metrics}`]),
    ...lines.map((line, index) => `  ${(index === 0 ? "Environments" : "").padEnd(17)} ${line}`),
    ...(own.length === 0
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
export function banner(line: string): string {
  const rule = "!".repeat(Math.min(100, line.length + 8));
  return `\n${rule}\n!!  ${line}\n${rule}\n`;
}
