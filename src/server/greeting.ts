/** What the terminal says when the server runs, to whoever started it there. */
export function greeting(address: string, environments: readonly string[]): string {
  const real =
    environments.length === 0
      ? "; sandbox and production: see docs/configuration.md"
      : `, ${environments.join(", ")}`;
  return [
    "",
    `INV is running at ${address}`,
    "",
    `  Browser workbook  ${address}/ (live values from the embedded service)`,
    `  Functions         ${address}/help`,
    `  Service           ${address}/docs`,
    `  Environments      Demo${real}`,
    "",
    "  In real Excel     npm run excel (Windows and macOS)",
    "  Stop              Ctrl+C",
    "",
  ].join("\n");
}
