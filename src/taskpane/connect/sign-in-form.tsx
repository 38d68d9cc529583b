/**
 * Sign-in: one button, then who is signed in, and a way to sign out. While the sign-in window is open, the pane waits for its
 * code. A person can also type the code, because a provider's page may cut the window off from the pane.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import type { Environment } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import { CheckBox, TextField } from "../parts/fields";
import { Button, Buttons, Message } from "../parts/parts";
import type { PaneServices, PreparedSignIn, SignInPopup } from "../services";
import { useAlive } from "../parts/use-source";

/** Lasts until a code is accepted. A wrong code doesn't end it: the server allows several tries. */
interface UnderWay {
  readonly kind: "under-way";
  readonly window: "open" | "refused" | "closed";
  readonly exchanging: boolean;
  readonly wrongCode: string | null;
}

type Step = { readonly kind: "idle" } | UnderWay | { readonly kind: "failed"; readonly words: string };

export function SignInForm(props: {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}) {
  const { services, connection, entry } = props;
  const [ready, setReady] = useState<PreparedSignIn | null>(null);
  const [step, setStep] = useState<Step>({ kind: "idle" });
  const [remember, setRemember] = useState(true);
  const open = useRef<SignInPopup | null>(null);
  const alive = useAlive();
  const provider = entry.signIn?.at ?? "";
  const inUse = connection.environment?.id === entry.id;
  const isExchanging = step.kind === "under-way" && step.exchanging;
  const isSessionEnded = services.engine.progress().faults.some(({ error }) => error.code === "signed-out");
  const isSignedIn = inUse && connection.person !== null && !isSessionEnded;
  const hasStoredSession =
    !isSignedIn &&
    !isSessionEnded &&
    (connection.inMemory.includes(entry.id) || connection.remembered.includes(entry.id));

  function fail(error: unknown): void {
    if (alive.current) setStep({ kind: "failed", words: toInvError(error).message });
  }

  function update(next: Partial<Omit<UnderWay, "kind">>): void {
    if (alive.current) setStep((now) => (now.kind === "under-way" ? { ...now, ...next } : now));
  }

  /** Prepares a verifier before the click: each window needs its own, and browsers open windows only at a click. */
  async function prepare(): Promise<void> {
    try {
      const next = await services.signIn.prepare(entry);
      if (alive.current) setReady(next);
    } catch (error) {
      fail(error);
    }
  }

  useEffect(() => {
    void prepare();
    return () => open.current?.close();
  }, []);

  // The person may have signed in from another workbook.
  useEffect(() => {
    if (isSignedIn) return undefined;
    const look = (): void => void services.connection.reload();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [isSignedIn]);

  function openWindow(current: PreparedSignIn): void {
    open.current?.close();
    setStep({ kind: "under-way", window: "open", exchanging: false, wrongCode: null });
    open.current = current.open((event) => {
      if (event.kind === "code") void submitCode(current, event.code);
      else update({ window: event.kind });
    });
  }

  async function submitCode(current: PreparedSignIn, code: string): Promise<void> {
    update({ exchanging: true, wrongCode: null });
    try {
      await current.signIn(code, remember && connection.canRemember);
      if (alive.current) setStep({ kind: "idle" });
      closeWindow();
    } catch (error) {
      const { code: reason, message } = toInvError(error);
      if (reason === "signed-out") update({ exchanging: false, wrongCode: message });
      else fail(error);
    }
  }

  function closeWindow(): void {
    open.current?.close();
    open.current = null;
    void prepare();
  }

  async function signOut(): Promise<void> {
    try {
      await services.signIn.signOut(entry);
    } catch {
      fail({
        code: "unreachable",
        message: "You are signed out here. INV couldn't reach its server, where the session ends by itself.",
      });
    }
  }

  if (isSignedIn) {
    return (
      <div class="credentials">
        <p>
          Signed in as <strong>{connection.person}</strong>.
        </p>
        <Buttons quiet actions={{ "Sign out": () => void signOut() }} />
        <SignInStatus step={step} />
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
              : "Use the account you have. You don't need to type anything here."}
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
        disabled={ready === null || isExchanging}
        actions={{ [`Sign in at ${provider}`]: () => ready && openWindow(ready) }}
      />
      {hasStoredSession ? <Buttons quiet actions={{ "Sign out": () => void signOut() }} /> : null}
      <SignInStatus step={step} />
      {step.kind === "under-way" && ready !== null ? (
        <CodeForm
          step={step}
          link={ready.link}
          onCode={(code) => submitCode(ready, code)}
          onCancel={() => {
            setStep({ kind: "idle" });
            closeWindow();
          }}
        />
      ) : null}
    </div>
  );
}

/** The code that the window shows, typed by hand. */
function CodeForm(props: {
  readonly step: UnderWay;
  readonly link: string;
  readonly onCode: (code: string) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const { step, link, onCode, onCancel } = props;
  const [typed, setTyped] = useState("");
  // A new window shows a new code.
  useEffect(() => {
    if (step.window === "open") setTyped("");
  }, [step.window]);

  async function submit(): Promise<void> {
    if (step.exchanging) return;
    await onCode(typed);
    const field = document.getElementById("inv-sign-in-code") as HTMLInputElement | null;
    field?.focus();
    field?.select();
  }

  return (
    <>
      {step.window === "refused" ? (
        <Message intent="warning">
          The sign-in window didn't open. Allow it, or{" "}
          <a href={link} target="_blank" rel="opener">
            sign in by this link
          </a>
          .
        </Message>
      ) : null}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          id="inv-sign-in-code"
          label="Code, if the window shows one"
          aria-describedby="inv-sign-in-code-wrong"
          aria-invalid={step.wrongCode !== null}
          value={typed}
          onText={setTyped}
        >
          <p class="refused" id="inv-sign-in-code-wrong" role="alert">
            {step.wrongCode}
          </p>
        </TextField>
        <div class="buttons">
          <Button quiet submit>
            Use the code
          </Button>
          <Button quiet disabled={step.exchanging} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </>
  );
}

function SignInStatus({ step }: { step: Step }) {
  const words = step.kind === "under-way" ? wordsOf(step) : null;
  return (
    <div role="status">
      {words === null ? null : <p>{words}</p>}
      {step.kind === "failed" ? <Message intent="error">{step.words}</Message> : null}
    </div>
  );
}

function wordsOf({ window, exchanging }: UnderWay): string | null {
  if (exchanging) return "Signing in…";
  switch (window) {
    case "open":
      return "Sign in, in the window that has opened.";
    case "closed":
      return "The window is closed. Sign in again, or type the code that it showed.";
    // A refused window has its own message, with a link.
    case "refused":
      return null;
  }
}
