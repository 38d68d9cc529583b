/** The header says where the numbers come from by the environment's kind, whatever it is called; one word tells the state. */
import type { ComponentChildren, VNode } from "preact";
import type { ConnectionState } from "../../../src/connection/types";
import type { Environment } from "../../../src/domain/environment";
import type { Progress } from "../../../src/engine/types";
import { PaneHeader } from "../../../src/taskpane/header/pane-header";
import { stateWord } from "../../../src/taskpane/header/stock-words";
import { anEnvironment } from "../../connection/environments";

/** The text a component without state draws. */
function drawnText(drawn: ComponentChildren): string {
  if (Array.isArray(drawn)) return drawn.map(drawnText).join(" ");
  if (typeof drawn === "string" || typeof drawn === "number") return String(drawn);
  return typeof drawn === "object" && drawn !== null && "props" in drawn
    ? drawnText((drawn as VNode<{ children?: ComponentChildren }>).props.children)
    : "";
}

function bandOf(environment: Environment | null, state: string): { text: string; look: unknown } {
  const drawn = PaneHeader({ environment, state, onEnvironment: () => undefined, onHelp: () => undefined });
  return { text: drawnText(drawn), look: (drawn.props as { class?: string }).class };
}

it.each(["production", "sandbox", "demo"] as const)("says %s, also when its label claims another", (kind) => {
  const { text, look } = bandOf({ ...anEnvironment("x", kind), label: "Production copy" }, "Ready");
  expect(look).toBe(`header header-${kind}`);
  expect(text.toLowerCase()).toMatch(new RegExp(`^\\s*${kind}`));
  expect(text.includes("not real stock")).toBe(kind !== "production");
  expect(text).toContain("Ready");
});

it("says that there is no environment", () => {
  expect(bandOf(null, "Not connected")).toEqual({
    look: "header header-none",
    text: expect.stringContaining("Not connected") as string,
  });
});

describe("the state", () => {
  const production = anEnvironment("x", "production");
  const quota = { search: { used: 0, limit: 600, resumesAtMs: null, awaitsSharedStore: false } };
  const word = (facts: {
    connection?: Partial<ConnectionState>;
    progress?: object;
    age?: { isAnswered?: boolean; isWaiting?: boolean };
  }) =>
    stateWord(
      { ready: true, environment: production, hasCredentials: true, ...facts.connection } as ConnectionState,
      {
        busy: false,
        faults: [],
        quota: { ...quota, events: quota.search },
        ...facts.progress,
      } as unknown as Progress,
      { isAnswered: true, isWaiting: false, ...facts.age },
    );
  const waits = { quota: { ...quota, events: { ...quota.search, awaitsSharedStore: true } } };
  it.each([
    ["Ready", {}],
    ["Not up to date", { age: { isAnswered: false } }],
    ["Busy…", { progress: { busy: true }, age: { isAnswered: false } }],
    ["Busy…", { age: { isAnswered: false, isWaiting: true } }],
    ["Server waits", { progress: waits }],
    ["Stopped", { progress: { faults: [{ error: { code: "wrong-address" } }] } }],
    ["Signed out", { progress: { faults: [{ error: { code: "signed-out" } }] } }],
    ["No credentials", { connection: { hasCredentials: false } }],
    ["Not allowed yet", { connection: { hasCredentials: false, awaitsConsent: true } }],
    ["Not connected", { connection: { environment: null }, progress: { busy: true } }],
    ["Starting…", { connection: { environment: null, ready: false } }],
  ])("is %s for %j", (expected, facts) => {
    expect(word(facts)).toBe(expected);
  });
});
