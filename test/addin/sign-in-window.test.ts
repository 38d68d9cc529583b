/**
 * The sign-in's window: Office's dialog as it is documented (it opens at the add-in's own origin, its messages come with
 * the origin that sent them), and the browser's. INV accepts messages only from this server's own pages.
 */
import type { SignInEvent } from "../../src/taskpane/services";
import { openSignInWindow } from "../../src/addin/sign-in-service";

const origin = "https://inv.example.com";
const url = `${origin}/sign-in/begin/production?challenge=x&via=dialog`;
const codeEvent = { kind: "code", code: "ABCD2345" };

type Handler = (event: { message: string; origin?: string } | { error: number }) => void;

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
    const events: SignInEvent[] = [];
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
    const window = openSignInWindow({ dialogs, page }, url, (event) => void events.push(event));
    const send = (event: Parameters<Handler>[0]) =>
      handlers.get("message" in event ? "dialogMessageReceived" : "dialogEventReceived")?.(event);
    return { events, opened, window, send, closed: () => closed };
  }

  it("opens a dialog on this server, passes its code on, and closes it", () => {
    const { events, opened, send, window, closed } = open("succeeded");
    expect(opened).toEqual([url]);
    send({ message: JSON.stringify({ invSignIn: "ABCD2345" }), origin });
    expect(events).toEqual([codeEvent]);
    window.close();
    expect(closed()).toBe(1);
  });

  it("accepts only messages of the add-in's own origin from a host that reports no origin", () => {
    const { events, send } = open("succeeded");
    send({ message: JSON.stringify({ invSignIn: "ABCD2345" }) });
    expect(events).toEqual([codeEvent]);
  });

  it.each([
    [
      "of another origin",
      { message: JSON.stringify({ invSignIn: "ABCD2345" }), origin: "https://evil.example.com" },
    ],
    ["that isn't JSON", { message: "ABCD2345", origin }],
    ["without a valid code", { message: JSON.stringify({ invSignIn: "<script>" }), origin }],
  ])("ignores a message %s", (_what, event) => {
    const { events, send } = open("succeeded");
    send(event);
    expect(events).toEqual([]);
  });

  it("reports a dialog that the person closes, and doesn't close it again", () => {
    const { events, send, window, closed } = open("succeeded");
    send({ error: 12002 });
    expect(events).toEqual([]);
    send({ error: 12006 });
    expect(events).toEqual([{ kind: "closed" }]);
    window.close();
    expect(closed()).toBe(0);
  });

  it("reports a dialog that Excel doesn't open", () => {
    expect(open("failed").events).toEqual([{ kind: "refused" }]);
  });
});

describe("in the browser", () => {
  function open(isAllowed = true) {
    const events: SignInEvent[] = [];
    const answered: unknown[] = [];
    const popup = { postMessage: (message: unknown) => answered.push(message), close: () => undefined };
    let receive: (event: object) => void = () => undefined;
    const page = {
      location: { origin },
      open: () => (isAllowed ? popup : null),
      addEventListener: (_type: string, listener: (event: object) => void) => (receive = listener),
      removeEventListener: () => (receive = () => undefined),
    } as unknown as Window;
    const window = openSignInWindow({ dialogs: null, page }, url, (event) => void events.push(event));
    return { events, answered, popup, window, receive: (event: object) => receive(event) };
  }
  const data = { invSignIn: "ABCD2345" };

  it("accepts the code of its own window, and confirms it to the window", () => {
    const { events, answered, popup, receive } = open();
    receive({ origin, source: popup, data });
    expect(events).toEqual([codeEvent]);
    expect(answered).toEqual([{ invSignIn: "taken" }]);
  });

  it.each([
    ["of a foreign page", { origin: "https://evil.example.com" }],
    ["of another window", { source: {} }],
    ["without a code", { data: "ABCD2345" }],
  ])("ignores a message %s", (_what, change) => {
    const { events, popup, receive } = open();
    receive({ origin, source: popup, data, ...change });
    expect(events).toEqual([]);
  });

  it("reports a window that the browser refuses, and listens to one that a link opened", () => {
    const { events, popup, receive } = open(false);
    expect(events).toEqual([{ kind: "refused" }]);
    receive({ origin, source: popup, data });
    expect(events).toEqual([{ kind: "refused" }, codeEvent]);
  });

  it("receives nothing after the pane has stopped waiting", () => {
    const { events, popup, receive, window } = open();
    window.close();
    receive({ origin, source: popup, data });
    expect(events).toEqual([]);
  });
});
