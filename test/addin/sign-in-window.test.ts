/**
 * The sign-in's window: Office's dialog as it is documented (it opens at the add-in's own origin, its messages come with
 * the origin that sent them), and the browser's. Only this server's own page is heard.
 */
import type { SignInEvent } from "../../src/taskpane/services";
import { openSignInWindow } from "../../src/addin/sign-in-window";

const origin = "https://inv.example.com";
const url = `${origin}/sign-in/begin/production?challenge=x&via=dialog`;
const taken = { kind: "code", code: "ABCD2345" };

type Handler = (said: { message: string; origin?: string } | { error: number }) => void;

beforeAll(() => {
  Object.assign(globalThis, {
    Office: {
      AsyncResultStatus: { Succeeded: "succeeded", Failed: "failed" },
      EventType: {
        DialogMessageReceived: "dialogMessageReceived",
        DialogEventReceived: "dialogEventReceived",
      },
    },
  });
});
afterAll(() => void Reflect.deleteProperty(globalThis, "Office"));

describe("in Excel", () => {
  function open(status: "succeeded" | "failed") {
    const words: SignInEvent[] = [];
    const opened: string[] = [];
    const handlers = new Map<string, Handler>();
    let closed = 0;
    const dialogs = {
      displayDialogAsync(address: string, _size: object, callback: (result: object) => void) {
        opened.push(address);
        const value = {
          addEventHandler: (type: string, handler: Handler) => void handlers.set(type, handler),
          close: () => (closed += 1),
        };
        callback({ status, value: status === "failed" ? undefined : value });
      },
    } as unknown as Office.UI;
    const page = { location: { origin } } as unknown as Window;
    const window = openSignInWindow({ dialogs, page }, url, (word) => void words.push(word));
    const say = (said: Parameters<Handler>[0]) =>
      handlers.get("message" in said ? "dialogMessageReceived" : "dialogEventReceived")?.(said);
    return { words, opened, window, say, closed: () => closed };
  }

  it("the dialog opens on this server, passes on its code, and is closed by the pane", () => {
    const { words, opened, say, window, closed } = open("succeeded");
    expect(opened).toEqual([url]);
    say({ message: JSON.stringify({ invSignIn: "ABCD2345" }), origin });
    expect(words).toEqual([taken]);
    window.close();
    expect(closed()).toBe(1);
  });

  it("accepts only messages of the add-in's own origin from a host that reports no origin", () => {
    const { words, say } = open("succeeded");
    say({ message: JSON.stringify({ invSignIn: "ABCD2345" }) });
    expect(words).toEqual([taken]);
  });

  it.each([
    [
      "of another origin",
      { message: JSON.stringify({ invSignIn: "ABCD2345" }), origin: "https://evil.example.com" },
    ],
    ["that is no JSON", { message: "ABCD2345", origin }],
    ["that holds no code", { message: JSON.stringify({ invSignIn: "<script>" }), origin }],
  ])("a message %s is not heard", (_what, said) => {
    const { words, say } = open("succeeded");
    say(said);
    expect(words).toEqual([]);
  });

  it("reports a dialog that the person closes, and doesn't close it again", () => {
    const { words, say, window, closed } = open("succeeded");
    say({ error: 12002 });
    expect(words).toEqual([]);
    say({ error: 12006 });
    expect(words).toEqual([{ kind: "closed" }]);
    window.close();
    expect(closed()).toBe(0);
  });

  it("reports a dialog that Excel doesn't open", () => {
    expect(open("failed").words).toEqual([{ kind: "refused" }]);
  });
});

describe("in the browser", () => {
  function open(isAllowed = true) {
    const words: SignInEvent[] = [];
    const answered: unknown[] = [];
    const popup = { postMessage: (message: unknown) => answered.push(message), close: () => undefined };
    let hear: (event: object) => void = () => undefined;
    const page = {
      location: { origin },
      open: () => (isAllowed ? popup : null),
      addEventListener: (_type: string, listener: (event: object) => void) => (hear = listener),
      removeEventListener: () => (hear = () => undefined),
    } as unknown as Window;
    const window = openSignInWindow({ dialogs: null, page }, url, (word) => void words.push(word));
    return { words, answered, popup, window, hear: (event: object) => hear(event) };
  }
  const data = { invSignIn: "ABCD2345" };

  it("accepts the code of its own window, and confirms it to the window", () => {
    const { words, answered, popup, hear } = open();
    hear({ origin, source: popup, data });
    expect(words).toEqual([taken]);
    expect(answered).toEqual([{ invSignIn: "taken" }]);
  });

  it.each([
    ["of a foreign page", { origin: "https://evil.example.com" }],
    ["of another window", { source: {} }],
    ["without a code", { data: "ABCD2345" }],
  ])("a message %s is not heard", (_what, lie) => {
    const { words, popup, hear } = open();
    hear({ origin, source: popup, data, ...lie });
    expect(words).toEqual([]);
  });

  it("reports a window that the browser refuses, and listens to one that a link opened", () => {
    const { words, popup, hear } = open(false);
    expect(words).toEqual([{ kind: "refused" }]);
    hear({ origin, source: popup, data });
    expect(words).toEqual([{ kind: "refused" }, taken]);
  });

  it("receives nothing after the pane has stopped waiting", () => {
    const { words, popup, hear, window } = open();
    window.close();
    hear({ origin, source: popup, data });
    expect(words).toEqual([]);
  });
});
