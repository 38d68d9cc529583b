/**
 * The ribbon's, the cell menu's and the keyboard's commands: what each does to the open workbook, pane or no
 * pane. Ids are those of the manifest and of the shortcuts file. Every command ends, within a bounded time,
 * and a failure is kept where the pane tells it.
 */
import { InvError, toInvError } from "../domain/errors";
import { createSource, type Source } from "../domain/notices";
import type { Clock } from "../engine/clock";
import type { CommandState, TabId, ViewId, WantedView } from "../taskpane/services";
import type { FreezeReport } from "../workbook/frozen-formulas/report";
import type { OpenWorkbook } from "../workbook/open-workbook";
import { isRunning, type RefreshScope } from "../workbook/refresh/refresh";
import type { CommandId } from "./command-desk";
import { withTimeLimit } from "./time-limit";

export interface CommandsOptions {
  readonly clock: Clock;
  readonly workbook: Source<OpenWorkbook>;
  /** Resolves when cells can be asked for; a refresh that comes before waits. */
  readonly opened: Promise<void>;
  showPane(): Promise<void>;
  /** Id of the function a person is at, for the help on it; null for none. */
  currentFunction(): Promise<string | null>;
}

export interface Commands {
  readonly state: CommandState;
  /** Resolves always, in bounded time: hosts wait for it, and one that is not told keeps the button down. */
  run(id: CommandId): Promise<void>;
}

/** Excel gives up on a command after five minutes; the work goes on all the same. */
const longestMs = 60_000;
/** The help does not wait longer to know which function is meant. */
const selectionWithinMs = 1_000;

export function createCommands(options: CommandsOptions): Commands {
  const { clock, workbook, showPane, currentFunction } = options;
  const failure = createSource<string | null>(null);
  const wanted = createSource<WantedView | null>(null);

  /** Pressed while INV starts: the workbook comes in a moment. */
  async function open(): Promise<Extract<OpenWorkbook, { kind: "open" }>> {
    await options.opened.catch(() => undefined);
    const current = await whenOpen(workbook);
    if (current.kind === "open") return current;
    if (current.kind === "failed") throw current.error;
    throw new InvError("internal", "The workbook is not open yet. Try again in a moment.");
  }

  async function refresh(scope: RefreshScope): Promise<void> {
    const { refresher } = await open();
    if (isRunning(refresher.state)) return;
    await refresher.start(scope);
    const { phase, error } = refresher.state;
    if (phase === "failed") throw error ?? new InvError("internal", "The refresh failed. Try again.");
  }

  async function show(tab: TabId, view: ViewId): Promise<void> {
    wanted.set({ tab, view });
    await showPane();
  }

  const actions: Readonly<Record<CommandId, () => Promise<void>>> = {
    refreshSelection: () => refresh("selection"),
    refreshSheet: () => refresh("sheet"),
    refreshWorkbook: () => refresh("workbook"),
    freezeSelection: async () => complainOfRest("frozen", await (await open()).freezer.freeze("selection")),
    thawSelection: async () => complainOfRest("thawed", await (await open()).freezer.thaw("selection")),
    showTemplates: () => show("build", "templates"),
    showHelp: async () => {
      const limit = { clock, limitMs: selectionWithinMs, otherwise: null };
      wanted.set({ help: await withTimeLimit(currentFunction(), limit) });
      await showPane();
    },
  };

  async function attempt(id: CommandId): Promise<void> {
    try {
      failure.set(null);
      await actions[id]();
    } catch (error) {
      failure.set(toInvError(error).message);
      // Where the pane cannot be shown, its header tells when it is opened.
      await showPane().catch(() => undefined);
    }
  }

  function run(id: CommandId): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(resolve, longestMs);
      void attempt(id).then(() => {
        clock.clearTimeout(timer);
        resolve();
      });
    });
  }

  return {
    state: {
      failure,
      wanted,
      dismiss: () => failure.set(null),
      showOldValues: () => wanted.set({ tab: "refresh", part: "old-values" }),
      showHelp: () => void run("showHelp"),
    },
    run,
  };
}

function whenOpen(workbook: Source<OpenWorkbook>): Promise<OpenWorkbook> {
  return new Promise((resolve) => {
    const look = (): void => {
      const current = workbook.get();
      if (current.kind === "starting") return;
      stop();
      resolve(current);
    };
    const stop = workbook.subscribe(look);
    look();
  });
}

function complainOfRest(done: string, { cells, left }: FreezeReport): void {
  const [first] = left;
  if (first !== undefined) {
    const count = left.reduce((sum, each) => sum + each.cells.length, 0);
    throw new InvError(
      "bad-argument",
      `${cells} cells were ${done}, ${count} left as they are. ${first.reason}.`,
    );
  }
  if (cells === 0) {
    throw new InvError(
      "bad-argument",
      `Nothing was ${done}: there is nothing of INV's in the selected cells.`,
    );
  }
}
