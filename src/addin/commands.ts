/**
 * The commands of the ribbon, the cell menu and the keyboard, with or without the pane. The manifest and the shortcuts file
 * contain their ids. Invariant: each command ends within a bounded time, and a person sees why it failed: in the pane, or in a
 * message where the pane can't be shown.
 */
import { InvError, toInvError } from "../domain/errors";
import { createObservable, type Observable } from "../domain/notices";
import { unawaited } from "../domain/unawaited";
import type { Clock } from "../engine/clock";
import { failureWords } from "../taskpane/refresh/change-words";
import type { CommandState, RequestedView } from "../taskpane/services";
import type { OpenOne, OpenWorkbook } from "../workbook/open-workbook";
import { isRunning, type RefreshScope } from "../workbook/refresh/refresh";
import type { CommandId } from "./command-queue";
import type { HostMessage } from "./message-window";
import { withTimeLimit } from "./time-limit";

export interface Commands {
  readonly state: CommandState;
  /** Always resolves within a bounded time, because the host disables the button until then. */
  run(id: CommandId): Promise<void>;
}

/** The command ends after this time, but its work continues. Excel itself gives up on a command after five minutes. */
const longestMs = 60_000;
/** If the selection can't be read within this time, the help opens on all functions. */
const selectionWithinMs = 1_000;

export function createCommands(options: {
  readonly clock: Clock;
  readonly workbook: Observable<OpenWorkbook>;
  /** Resolves when INV accepts requests for cells; an earlier refresh waits. */
  readonly opened: Promise<void>;
  /** Shows the pane. Resolves with whether it is visible then. */
  showPane(): Promise<boolean>;
  showMessage(message: HostMessage): void;
  /** Copies the current sheet with its values. */
  copyWithValues(open: OpenOne, scope: "sheet"): Promise<unknown>;
  /** The address of a page of the help. */
  helpAddress(page: string): string;
  /** Opens a page in the system's browser. Returns false if the browser refused. */
  openPage(address: string): boolean;
  /** Returns the id of the function that a person is editing or has selected, or null. */
  currentFunction(): Promise<string | null>;
}): Commands {
  const { clock, workbook, showMessage, currentFunction } = options;
  const failure = createObservable<string | null>(null);
  const requestedView = createObservable<RequestedView | null>(null);

  async function open(): Promise<OpenOne> {
    await options.opened.catch(() => undefined);
    const current = await whenOpen(workbook);
    if (current.kind === "open") return current;
    if (current.kind === "failed") throw current.error;
    throw new InvError("internal", "INV is still opening the workbook. Try again in a moment.");
  }

  async function refresh(scope: RefreshScope): Promise<void> {
    const { refresher } = await open();
    if (isRunning(refresher.state)) return;
    await refresher.start(scope);
    const { state } = refresher;
    if (state.phase !== "failed") return;
    const reason = state.error ?? new InvError("internal", "The refresh failed. Try again.");
    if (state.unrefreshed.length === 0) throw reason;
    // The sheet looks as before, so say which cells are old, also with a closed pane.
    const sentence = failureWords(state);
    const words = sentence.charAt(0).toUpperCase() + sentence.slice(1);
    throw new InvError(reason.code, words, { cause: reason });
  }

  const isPaneShown = (): Promise<boolean> => options.showPane().catch(() => false);

  /** Shows a part of the pane. If only a person can open the pane, INV says how, and the pane then begins with that part. */
  async function show(view: RequestedView, part: string): Promise<void> {
    requestedView.set(view);
    if (await isPaneShown()) return;
    showMessage({
      title: "Open INV's pane",
      text: `Choose Store inventory on the Home tab. The pane then shows ${part}.`,
    });
  }

  const actions: Readonly<Record<CommandId, () => Promise<void>>> = {
    refreshSelection: () => refresh("selection"),
    refreshSheet: () => refresh("sheet"),
    refreshWorkbook: () => refresh("workbook"),
    copyWithValues: async () => {
      await options.copyWithValues(await open(), "sheet");
    },
    showTemplates: () => show({ tab: "templates" }, "the templates"),
    showHelp: async () => {
      const limit = { clock, limitMs: selectionWithinMs, otherwise: null };
      const address = options.helpAddress((await withTimeLimit(currentFunction(), limit)) ?? "index");
      if (options.openPage(address)) return;
      throw new InvError("not-possible", `The browser opened no window for INV's help. It is at ${address}`);
    },
  };

  async function attempt(id: CommandId): Promise<void> {
    try {
      failure.set(null);
      await actions[id]();
    } catch (error) {
      const { message } = toInvError(error);
      failure.set(message);
      if (!(await isPaneShown())) showMessage({ title: "INV couldn't finish the command", text: message });
    }
  }

  function run(id: CommandId): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(resolve, longestMs);
      unawaited(
        attempt(id).then(() => {
          clock.clearTimeout(timer);
          resolve();
        }),
      );
    });
  }

  return {
    state: {
      failure,
      requestedView,
      dismiss: () => failure.set(null),
      showOldValues: () => requestedView.set({ tab: "refresh", part: "old-values" }),
      showHelp: () => unawaited(run("showHelp")),
    },
    run,
  };
}

function whenOpen(workbook: Observable<OpenWorkbook>): Promise<OpenWorkbook> {
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
