/** Messages in Office's dialog, of which a page has one, and which opens and closes late. */
import { createMessageWindow } from "../../src/addin/message-window";

const alreadyOpen = 12007;
const closedByPerson = 12006;

interface FakeDialog {
  readonly url: string;
  isOpen: boolean;
  hear: ((event: { error: number }) => void) | null;
}

let now: (() => void)[] = [];

/** Runs what waits, each in its turn, until nothing waits. */
function settle(): void {
  for (let turn = 0; turn < 100 && now.length > 0; turn += 1) {
    const due = now;
    now = [];
    for (const run of due) run();
  }
}

function openPage() {
  const dialogs: FakeDialog[] = [];
  /** Excel counts a dialog from its request on, and for three turns after it was closed. */
  let counted: FakeDialog | null = null;
  function later(turns: number, run: () => void): void {
    now.push(turns === 0 ? run : () => later(turns - 1, run));
  }
  const office = {
    displayDialogAsync(url: string, options: object, opened: (result: never) => void) {
      Object.assign(options, { touched: true });
      if (counted !== null) {
        later(1, () => opened({ status: "failed", error: { code: alreadyOpen } } as never));
        return;
      }
      const dialog: FakeDialog = { url, isOpen: true, hear: null };
      counted = dialog;
      dialogs.push(dialog);
      const value = {
        addEventHandler: (_type: string, hear: FakeDialog["hear"]) => (dialog.hear = hear),
        close() {
          if (!dialog.isOpen) throw new Error("The dialog is closed.");
          dialog.isOpen = false;
          later(3, () => (counted = null));
        },
      };
      later(2, () => opened({ status: "succeeded", value } as never));
    },
  };
  const window = createMessageWindow(office, {
    setTimeout: (run) => {
      now.push(run);
    },
  });
  const shown = () =>
    dialogs
      .filter(({ isOpen }) => isOpen)
      .map(({ url }) => new URLSearchParams(new URL(url).hash.slice(1)).get("text") ?? url);
  return { dialogs, window, shown, free: () => (counted = null) };
}

const message = (text: string) => ({ title: "INV", text });

beforeEach(() => {
  now = [];
  Reflect.set(globalThis, "location", new URL("https://inv.test/taskpane.html"));
  Reflect.set(globalThis, "Office", {
    AsyncResultStatus: { Failed: "failed" },
    EventType: { DialogEventReceived: "event" },
  });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, "location");
  Reflect.deleteProperty(globalThis, "Office");
});

test.each([0, 1, 2, 3, 9])(
  "the last of several messages is shown, the next %d turns after the one before",
  (turns) => {
    const { window, shown } = openPage();
    for (const text of ["one", "two", "three"]) {
      window.show(message(text));
      for (let turn = 0; turn < turns; turn += 1) {
        const due = now;
        now = [];
        for (const run of due) run();
      }
    }
    settle();
    expect(shown()).toEqual(["three"]);
  },
);

test.each([0, 1, 2, 3, 9])("a sign-in that begins %d turns after a message closes it, and opens", (turns) => {
  const { window, shown } = openPage();
  window.show(message("one"));
  for (let turn = 0; turn < turns; turn += 1) {
    const due = now;
    now = [];
    for (const run of due) run();
  }
  const outcomes: string[] = [];
  window.dialogs.displayDialogAsync("https://inv.test/sign-in", { height: 70 }, ({ status }) => {
    outcomes.push(String(status));
  });
  settle();
  expect(outcomes).toEqual(["succeeded"]);
  expect(shown()).toEqual(["https://inv.test/sign-in"]);
});

test("a message during a sign-in is dropped at once, and the sign-in stays", () => {
  const { window, shown, dialogs } = openPage();
  window.dialogs.displayDialogAsync("https://inv.test/sign-in", {}, () => undefined);
  settle();
  window.show(message("one"));
  settle();
  expect(shown()).toEqual(["https://inv.test/sign-in"]);
  expect(dialogs).toHaveLength(1);
});

test("a message that a person has closed isn't closed again", () => {
  const { window, shown, dialogs, free } = openPage();
  window.show(message("one"));
  settle();
  dialogs[0]!.isOpen = false;
  free();
  dialogs[0]!.hear!({ error: closedByPerson });
  window.show(message("two"));
  settle();
  expect(shown()).toEqual(["two"]);
});
