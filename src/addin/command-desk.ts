/**
 * Takes the ribbon's and the keyboard's commands from the moment the add-in's own script is there, before the
 * rest of INV is: what the host runs while an id is not associated is lost (reported, office-js 5176). What
 * comes early waits, and runs in its order when INV opens.
 * Invariant: each ends, also when INV cannot be loaded, since a host that is not told keeps its button down.
 */
import type { BrowserHost } from "../workbook/browser-host";

export const commandIds = [
  "refreshSelection",
  "refreshSheet",
  "refreshWorkbook",
  "freezeSelection",
  "thawSelection",
  "showTemplates",
  "showHelp",
] as const;
export type CommandId = (typeof commandIds)[number];

/** Runs a command to its end; never rejects. */
export type RunCommand = (id: CommandId) => Promise<void>;

export interface CommandDesk {
  /** Resolves when the command has ended, or cannot be run at all. */
  press(id: CommandId): Promise<void>;
  /** From now on commands run; those that came early begin. */
  open(run: RunCommand): void;
  /** INV could not be loaded: nothing will run. */
  close(): void;
}

/** Nothing runs until it is opened. */
export function createCommandDesk(): CommandDesk {
  let runNow: RunCommand | null = null;
  let early: (() => void)[] = [];

  function serve(run: RunCommand): void {
    runNow = run;
    const first = early;
    early = [];
    for (const begin of first) begin();
  }

  return {
    press: (id) =>
      new Promise((resolve) => {
        const begin = (): void => void runNow?.(id).then(resolve);
        if (runNow === null) early.push(begin);
        else begin();
      }),
    open: serve,
    close: () => serve(() => Promise.resolve()),
  };
}

/** Tells the host of every command, at once. `office` is null where the page is not Excel's. */
export function associateCommands(
  desk: CommandDesk,
  { browserHost, office }: { browserHost: BrowserHost | null; office: OfficeActions | null },
): void {
  for (const id of commandIds) {
    browserHost?.onCommand(id, () => desk.press(id));
    // A button of the ribbon brings an event, a key none (read in Microsoft's runtime) or one that has no end to tell of.
    office?.actions?.associate(id, (event) => void desk.press(id).finally(() => event?.completed?.()));
  }
}

/** Office as far as commands need it; an Excel without them has no `actions`. */
export interface OfficeActions {
  readonly actions?: {
    associate(id: string, run: (event: { completed?(): void } | null) => void): void;
  };
}
