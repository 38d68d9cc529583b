/** The band tells where the numbers come from by the environment's kind, whatever it is called. */
import type { ComponentChildren, VNode } from "preact";
import type { ConnectionState } from "../../../src/connection/types";
import type { Environment } from "../../../src/domain/environment";
import type { Progress } from "../../../src/engine/types";
import { Band } from "../../../src/taskpane/header/band";
import { anEnvironment } from "../../connection/environments";

/** The text a component without state draws. */
function textOf(drawn: ComponentChildren): string {
  if (Array.isArray(drawn)) return drawn.map(textOf).join(" ");
  if (typeof drawn === "string" || typeof drawn === "number") return String(drawn);
  return typeof drawn === "object" && drawn !== null && "props" in drawn
    ? textOf((drawn as VNode<{ children?: ComponentChildren }>).props.children)
    : "";
}

function bandOf(
  environment: Environment | null,
  { awaitsMemory = false, hasFailed = false } = {},
): { text: string; look: unknown } {
  const connection = { ready: true, environment, hasCredentials: true } as ConnectionState;
  const use = { used: 0, limit: 600, resumesAtMs: null };
  const quota = { search: { ...use, awaitsMemory }, events: use };
  const progress = { busy: false, cells: { waiting: 0 }, faults: [], quota } as unknown as Progress;
  const onEnvironment = () => undefined;
  const drawn = Band({
    connection,
    progress,
    offline: false,
    hasFailed,
    onEnvironment,
    onHelp: () => undefined,
  });
  return { text: textOf(drawn), look: (drawn.props as { class?: string }).class };
}

it.each(["production", "sandbox", "demo"] as const)("says %s, also when its label claims another", (kind) => {
  const { text, look } = bandOf({ ...anEnvironment("x", kind), label: "Production copy" });
  expect(look).toBe(`band band-${kind}`);
  expect(text.toLowerCase()).toMatch(new RegExp(`^\\s*${kind}`));
  expect(text.includes("not real stock")).toBe(kind !== "production");
});

it("says that there is no environment", () => {
  expect(bandOf(null)).toMatchObject({
    look: "band band-none",
    text: expect.stringMatching(/Not connected/) as string,
  });
});

it("says that the team's server waits", () => {
  expect(bandOf(anEnvironment("x", "production"), { awaitsMemory: true }).text).toContain("Server waits");
  expect(bandOf(anEnvironment("x", "production")).text).not.toContain("Server waits");
});

it("isn't ready after a refresh that failed", () => {
  expect(bandOf(anEnvironment("x", "demo")).text).toContain("Ready");
  expect(bandOf(anEnvironment("x", "demo"), { hasFailed: true }).text).toContain("Not up to date");
});
