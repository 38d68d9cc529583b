/** Commands of the ribbon, the menus and the keys: each ends, even if it fails, and the pane shows the failure. */
import { commandIds } from "../../src/addin/command-queue";
import { createCommands } from "../../src/addin/commands";
import { InvError } from "../../src/domain/errors";
import { createObservable } from "../../src/domain/notices";
import type { OpenWorkbook } from "../../src/workbook/open-workbook";
import { createVirtualClock } from "../helpers/virtual-clock";

function setUp(
  change: {
    start?: () => Promise<void>;
    currentFunction?: () => Promise<string | null>;
    error?: InvError;
    /** How many of 20 cells keep older values. */
    stale?: number;
    opened?: Promise<void>;
    showPane?: () => Promise<boolean>;
    opensPages?: boolean;
  } = {},
) {
  const calls: string[] = [];
  const clock = createVirtualClock();
  const open = {
    kind: "open",
    workbook: {},
    refresher: {
      state: {
        phase: change.error ? "failed" : "idle",
        error: change.error ?? null,
        cells: 20,
        refreshed: 20 - (change.stale ?? 0),
        unrefreshed: Array.from({ length: change.stale ?? 0 }, () => ({
          cell: { sheet: "Plan", row: 1, col: 2 },
          because: change.error,
        })),
      },
      start: (scope: string) => {
        calls.push(`refresh ${scope}`);
        return change.start?.() ?? Promise.resolve();
      },
    },
  } as unknown as OpenWorkbook;
  const workbook = createObservable<OpenWorkbook>(open);
  const commands = createCommands({
    clock,
    workbook,
    opened: change.opened ?? Promise.resolve(),
    async showPane() {
      calls.push("show pane");
      return change.showPane?.() ?? true;
    },
    showMessage: ({ title, text }) => calls.push(`message: ${title}. ${text}`),
    copyWithValues: async () => void calls.push("copy"),
    helpAddress: (page) => `https://inv.example/help/${page}.html`,
    openPage(address) {
      calls.push(`open ${address}`);
      return change.opensPages ?? true;
    },
    currentFunction: change.currentFunction ?? (async () => "qty"),
  });
  return { calls, clock, commands, workbook };
}

it("each command does its work and clears an earlier failure", async () => {
  const { calls, commands } = setUp();
  for (const id of commandIds) await commands.run(id);
  expect(calls).toEqual([
    "refresh selection",
    "refresh sheet",
    "refresh workbook",
    "copy",
    "show pane",
    "open https://inv.example/help/qty.html",
  ]);
  expect(commands.state.failure.get()).toBeNull();
  expect(commands.state.requestedView.get()).toEqual({ tab: "templates" });
});

it.each([
  [
    "a refresh that fails",
    { error: new InvError("quota", "The quota is used up.") },
    "refreshSheet",
    "The quota is used up.",
  ],
  [
    "a refresh that throws",
    { start: () => Promise.reject(new InvError("timeout", "Too slow.")) },
    "refreshSheet",
    "Too slow.",
  ],
] as const)("%s ends the command and shows the pane with the reason", async (_, change, id, reason) => {
  const { calls, commands } = setUp(change);
  await commands.run(id);
  expect(commands.state.failure.get()).toContain(reason);
  expect(calls).toContain("show pane");
  commands.state.dismiss();
  expect(commands.state.failure.get()).toBeNull();
});

describe.each([
  ["is ignored", () => Promise.resolve(false)],
  ["is refused", () => Promise.reject(new Error("Not here."))],
])("if the request to show the pane %s", (_, showPane) => {
  it("a failed command shows its reason in a message", async () => {
    const { calls, commands } = setUp({ showPane, error: new InvError("quota", "The quota is used up.") });
    await commands.run("refreshSheet");
    expect(calls).toContain("message: INV couldn't finish the command. The quota is used up.");
    expect(commands.state.failure.get()).toBe("The quota is used up.");
  });

  it("a refresh that leaves cells says so in a message", async () => {
    const error = new InvError("service-down", "The service is down.");
    const { calls, commands } = setUp({ showPane, error, stale: 7 });
    await commands.run("refreshSheet");
    expect(calls).toContain(
      "message: INV couldn't finish the command. 13 of 20 cells refreshed. 7 cells keep what they show: The service is down.",
    );
  });

  it("a refresh whose sheet is protected says so in a message", async () => {
    const error = new InvError("internal", "The sheet is protected. Unprotect it.");
    const { calls, commands } = setUp({ showPane, error, stale: 1 });
    await commands.run("refreshSheet");
    expect(calls.at(-1)).toBe(
      "message: INV couldn't finish the command. 19 of 20 cells refreshed. 1 cell keeps what it shows (first: Plan!C2): The sheet is protected. Unprotect it.",
    );
  });

  it("a message says how to open the pane, which then shows what was asked for", async () => {
    const { calls, commands } = setUp({ showPane });
    await commands.run("showTemplates");
    expect(calls.filter((call) => call.startsWith("message"))).toEqual([
      "message: Open INV's pane. Choose Store inventory on the Home tab. The pane then shows the templates.",
    ]);
  });
});

it("a command that succeeds shows no message", async () => {
  const { calls, commands } = setUp({ showPane: async () => false });
  await commands.run("refreshSheet");
  expect(calls).toEqual(["refresh sheet"]);
});

it("waits for the workbook and the connection if INV is still starting", async () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const { calls, clock, commands, workbook } = setUp({ opened });
  const whole = workbook.get();
  workbook.set({ kind: "starting" });
  const ended = commands.run("refreshSelection");
  await clock.turns();
  expect(calls).toEqual([]);
  workbook.set(whole);
  await clock.turns();
  expect(calls).toEqual([]);
  open();
  await ended;
  expect(calls).toEqual(["refresh selection"]);
  expect(commands.state.failure.get()).toBeNull();
});

it("says that the workbook can't be opened, and ends", async () => {
  const { commands, workbook } = setUp();
  workbook.set({ kind: "failed", error: new InvError("internal", "No workbook here.") });
  await commands.run("refreshSelection");
  expect(commands.state.failure.get()).toBe("No workbook here.");
});

it("after a minute a command that hasn't ended is reported to the host as ended", async () => {
  const { commands, clock } = setUp({ start: () => new Promise(() => undefined) });
  let ended = false;
  void commands.run("refreshWorkbook").then(() => (ended = true));
  await clock.advance(59_000);
  expect(ended).toBe(false);
  await clock.advance(2_000);
  expect(ended).toBe(true);
});

it.each([
  ["is never returned", () => new Promise<string | null>(() => undefined)],
  ["can't be read", () => Promise.reject(new Error("A chart is selected."))],
  ["doesn't exist", async () => null],
])("opens the help of all functions if the selected function %s", async (_, currentFunction) => {
  const { calls, clock, commands } = setUp({ currentFunction });
  const ended = commands.run("showHelp");
  await clock.advance(1_000);
  await ended;
  expect(commands.state.failure.get()).toBeNull();
  expect(calls).toEqual(["open https://inv.example/help/index.html"]);
});

it("names the address of the help if the browser opens no window", async () => {
  const { commands } = setUp({ opensPages: false });
  await commands.run("showHelp");
  expect(commands.state.failure.get()).toBe(
    "The browser opened no window for INV's help. It is at https://inv.example/help/qty.html",
  );
});
