/**
 * Receives commands as soon as the add-in's script runs, because the host drops a command whose id isn't associated yet
 * (reported, office-js 5176). Early commands wait and run in order when INV opens. Invariant: each command ends, even if INV
 * can't be loaded, because the host disables its button until then.
 */
import { unawaited } from "../domain/unawaited";
import type { BrowserHost } from "../workbook/browser-host";

export const commandIds = [
  "refreshSelection",
  "refreshSheet",
  "refreshWorkbook",
  "copyWithValues",
  "showTemplates",
  "showHelp",
] as const;
export type CommandId = (typeof commandIds)[number];

/** Runs a command until it ends; never rejects. */
export type RunCommand = (id: CommandId) => Promise<void>;

export interface CommandQueue {
  /** Resolves when the command has ended or can't be run. */
  press(id: CommandId): Promise<void>;
  /** Runs the early commands, and later ones at once. */
  open(run: RunCommand): void;
  /** Ends all commands without running them, if INV couldn't be loaded. */
  close(): void;
}

export function createCommandQueue(): CommandQueue {
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
        const begin = (): void => unawaited(runNow?.(id).then(resolve));
        if (runNow === null) early.push(begin);
        else begin();
      }),
    open: serve,
    close: () => serve(() => Promise.resolve()),
  };
}

/** Associates every command with the host. `office` is null outside Excel. */
export function associateCommands(
  queue: CommandQueue,
  { browserHost, office }: { browserHost: BrowserHost | null; office: OfficeActions | null },
): void {
  for (const id of commandIds) {
    browserHost?.onCommand(id, () => queue.press(id));
    // A ribbon button passes an event; a key passes none (read in Microsoft's runtime), or one without `completed`.
    office?.actions?.associate(id, (event) => unawaited(queue.press(id).finally(() => event?.completed?.())));
  }
}

/** The part of Office that commands need. Older versions of Excel have no `actions`. */
export interface OfficeActions {
  readonly actions?: {
    associate(id: string, run: (event: { completed?(): void } | null) => void): void;
  };
}
