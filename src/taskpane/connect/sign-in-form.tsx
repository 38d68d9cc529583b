/**
 * Sign-in: one button, then who is signed in, and a way to sign out. While the sign-in window is open, the pane waits for its
 * code. A person can also type the code, because a provider's page may cut the window off from the pane. A wrong code doesn't
 * end the sign-in: the server allows several tries. Leaving the form ends it, so that it can't connect after a later choice.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import type { Environment } from "../../domain/environment";
import { InvError } from "../../domain/errors";
import { unawaited } from "../../domain/unawaited";
import { type Action, ActionStatus, useAction } from "../parts/action";
import { CheckBox, TextField } from "../parts/fields";
import { Buttons, Form, Message } from "../parts/parts";
import type { PaneServices, PreparedSignIn, SignInPopup } from "../services";
import { useLoaded } from "../parts/use-observable";

type PopupState = "open" | "refused" | "closed";

export function SignInForm(props: {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}) {
  const { services, connection, entry } = props;
  /** Null while no sign-in is under way. */
  const [popupState, setPopupState] = useState<PopupState | null>(null);
  const [remember, setRemember] = useState(false);
  const popup = useRef<SignInPopup | null>(null);
  const work = useAction();
  // Prepared before the click, because browsers open windows only at a click. Each sign-in needs its own verifier.
  const prepared = useLoaded(() => services.signIn.prepare(entry), []);
  const ready = prepared.value;
  const inUse = connection.environment?.id === entry.id;
  const isSessionEnded = services.engine.progress().faults.some(({ error }) => error.code === "signed-out");
  const isSignedIn = inUse && connection.person !== null && !isSessionEnded;
  const hasStoredSession =
    !isSignedIn &&
    !isSessionEnded &&
    (connection.inMemory.includes(entry.id) || connection.remembered.includes(entry.id));

  useEffect(() => () => popup.current?.close(), []);

  // The person may have signed in from another workbook.
  useEffect(() => {
    if (isSignedIn) return undefined;
    const look = (): void => unawaited(services.connection.reload());
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [isSignedIn]);

  function openWindow(current: PreparedSignIn): void {
    popup.current?.close();
    work.clear();
    setPopupState("open");
    popup.current = current.open((event) => {
      if (event.kind === "code") submitCode(current, event.code);
      else setPopupState(event.kind);
    });
  }

  function submitCode(current: PreparedSignIn, code: string): void {
    work.run(async (signal) => {
      await current.signIn(code, { remember: remember && connection.canRemember, signal });
      endSignIn();
      return null;
    }, "Signing in…");
  }

  function endSignIn(): void {
    popup.current?.close();
    popup.current = null;
    setPopupState(null);
    prepared.again();
  }

  const signOut = () =>
    work.run(async () => {
      await services.signIn.signOut(entry).catch((cause: unknown) => {
        const text =
          "You are signed out here. INV couldn't reach its server, where the session ends by itself.";
        throw new InvError("unreachable", text, { cause });
      });
      return null;
    });

  if (isSignedIn) {
    return (
      <div class="credentials">
        <p>
          Signed in as <strong>{connection.person}</strong>.
        </p>
        <Buttons quiet isBusy={work.busyText !== null} actions={{ "Sign out": signOut }} />
        <ActionStatus action={work} />
      </div>
    );
  }
  return (
    <div class="credentials">
      {hasStoredSession ? (
        <p>You are signed in on this device. Connect to use it in this workbook.</p>
      ) : (
        <>
          <p>
            {isSessionEnded
              ? "Your sign-in has ended. Every cell keeps its number."
              : `Use your ${entry.signIn?.at ?? "company"} account. You don't need to type anything here.`}
          </p>
          {connection.canRemember ? (
            <CheckBox
              label="For all my workbooks on this device"
              hint="Encrypted on this device until the sign-in ends. Otherwise it applies only to this workbook."
              checked={remember}
              onChange={setRemember}
            />
          ) : null}
        </>
      )}
      <Buttons
        primary={!hasStoredSession}
        disabled={ready === null}
        isBusy={work.busyText !== null}
        actions={{ [`Sign in at ${entry.signIn?.at ?? ""}`]: () => ready && openWindow(ready) }}
      />
      {hasStoredSession ? <Buttons quiet actions={{ "Sign out": signOut }} /> : null}
      {prepared.error === null ? null : <Message intent="error">{prepared.error.message}</Message>}
      <div role="status">
        {popupState === null || work.busyText !== null ? null : <p>{popupWords[popupState]}</p>}
      </div>
      {isWrongCode(work) ? null : <ActionStatus action={work} />}
      {popupState !== null && ready !== null ? (
        <>
          {popupState === "refused" ? (
            <Message intent="warning">
              The sign-in window didn't open. Allow it, or{" "}
              <a href={ready.link()} target="_blank" rel="opener">
                sign in by this link
              </a>
              .
            </Message>
          ) : null}
          <CodeForm
            isNewWindow={popupState === "open"}
            work={work}
            onCode={(code) => submitCode(ready, code)}
            onCancel={() => {
              work.cancel();
              endSignIn();
            }}
          />
        </>
      ) : null}
    </div>
  );
}

const popupWords: Readonly<Record<PopupState, string>> = {
  open: "Sign in, in the window that has opened.",
  closed: "The window is closed. Sign in again, or type the code that it showed.",
  // A message with a link says it.
  refused: "",
};

function isWrongCode({ result }: Action): boolean {
  return result?.error?.code === "signed-out";
}

/** The code that the window shows, typed by hand. */
function CodeForm(props: {
  readonly isNewWindow: boolean;
  readonly work: Action;
  readonly onCode: (code: string) => void;
  readonly onCancel: () => void;
}) {
  const { isNewWindow, work, onCode, onCancel } = props;
  const [typed, setTyped] = useState("");
  const wrong = isWrongCode(work) ? (work.result?.text ?? null) : null;
  // A new window shows a new code.
  useEffect(() => {
    if (isNewWindow) setTyped("");
  }, [isNewWindow]);
  // Typing replaces the wrong code.
  useEffect(() => {
    if (wrong === null) return;
    const field = document.getElementById("inv-sign-in-code") as HTMLInputElement | null;
    field?.focus();
    field?.select();
  }, [work.result]);

  return (
    <Form
      quiet
      submit="Use the code"
      onSubmit={() => onCode(typed)}
      isBusy={work.busyText !== null}
      onCancel={onCancel}
    >
      <TextField
        id="inv-sign-in-code"
        label="Code, if the window shows one"
        aria-describedby="inv-sign-in-code-wrong"
        aria-invalid={wrong !== null}
        value={typed}
        onText={setTyped}
      >
        <p class="refused" id="inv-sign-in-code-wrong" role="alert">
          {wrong}
        </p>
      </TextField>
    </Form>
  );
}
