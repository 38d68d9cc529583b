/** What the terminal says when the server runs, to whoever started it there. */
import type { StockGreeting } from "./embedded";

export interface GreetingFacts {
  readonly address: string;
  /** Labels of the configured environments. */
  readonly environments: readonly string[];
  /** Null where the demo is served. */
  readonly stock: StockGreeting | null;
}

export function greeting({ address, environments, stock }: GreetingFacts): string {
  const real =
    environments.length === 0
      ? "; sandbox and production: see docs/configuration.md"
      : `, ${environments.join(", ")}`;
  const values = stock === null ? "live values from the embedded service" : `figures of ${stock.supplier}`;
  return [
    "",
    `INV is running at ${address}`,
    "",
    `  Browser workbook  ${address}/ (${values})`,
    `  Functions         ${address}/help`,
    `  Service           ${address}/docs`,
    `  Environments      ${stock === null ? "Demo" : stock.supplier}${real}`,
    ...(stock === null ? [] : stockLines(stock)),
    "",
    "  In real Excel     npm run excel (Windows and macOS)",
    "  Stop              Ctrl+C",
    "",
  ].join("\n");
}

/** Whose figures these are, how old, and which account opens them. */
export function stockLines({ supplier, consumerId, latestMs }: StockGreeting): string[] {
  const latest = new Date(latestMs).toISOString().slice(0, 16).replace("T", " ");
  return [
    `  Figures           ${supplier}, the latest of ${latest} UTC`,
    `  Account           consumer ID ${consumerId}; its secret was shown at the import`,
  ];
}
