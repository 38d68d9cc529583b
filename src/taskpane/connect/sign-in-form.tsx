/**
 * What stands in the place of the credentials' fields where people sign in: one button, then who is signed in and the
 * way out. While the window is open the pane waits for its code, which can also be typed: a provider may have cut the
 * window off from the pane.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import type { Environment } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import { Button, Message } from "../parts/parts";
import type { PaneServices, ReadySignIn, SignInWindow } from "../services";
import { useAlive } from "../parts/use-source";

interface SignInFormProps {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}

type Step =
  | { readonly kind: "idle" }
  | { readonly kind: "open"; readonly window: "there" | "refused" | "closed" }
  | { readonly kind: "exchanging" }
  | { readonly kind: "bad"; readonly words: string };

export function SignInForm({ services, connection, entry }: SignInFormProps) {
  const [ready, setReady] = useState<ReadySignIn | null>(null);
  const [step, setStep] = useState<Step>({ kind: "idle" });
  const [remember, setRemember] = useState(true);
  const [typed, setTyped] = useState("");
  const open = useRef<SignInWindow | null>(null);
  const alive = useAlive();
  const at = entry.signIn?.at ?? "";
  const inUse = connection.environment?.id === entry.id;
  const hasEnded = services.engine.progress().faults.some(({ error }) => error.code === "signed-out");
  const isIn = inUse && connection.person !== null && !hasEnded;
  const isHeld =
    !isIn && !hasEnded && (connection.held.includes(entry.id) || connection.remembered.includes(entry.id));

  function fail(error: unknown): void {
    if (alive.current) setStep({ kind: "bad", words: toInvError(error).message });
  }

  /** Another verifier for each window; there before the click, since browsers open windows at a click alone. */
  async function prepare(): Promise<void> {
    try {
      const next = await services.signIn.ready(entry);
      if (alive.current) setReady(next);
    } catch (error) {
      fail(error);
    }
  }

  useEffect(() => {
    void prepare();
    return () => open.current?.close();
  }, []);

  // Meanwhile the person may have signed in beside another workbook.
  useEffect(() => {
    if (isIn) return undefined;
    const look = (): void => void services.connection.reload();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [isIn]);

  function begin(current: ReadySignIn): void {
    open.current?.close();
    setTyped("");
    setStep({ kind: "open", window: "there" });
    open.current = current.open((word) => {
      if (word.kind === "code") void take(current, word.code);
      else if (alive.current) setStep({ kind: "open", window: word.kind });
    });
  }

  async function take(current: ReadySignIn, code: string): Promise<void> {
    setStep({ kind: "exchanging" });
    try {
      await current.take(code, remember && connection.canRemember);
      if (alive.current) setStep({ kind: "idle" });
      leave();
    } catch (error) {
      fail(error);
    }
  }

  function leave(): void {
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
        message: "You are signed out here. INV's server could not be told: the session ends by itself.",
      });
    }
  }

  if (isIn) {
    return (
      <div class="held">
        <p>
          Signed in as <strong>{connection.person}</strong>.
        </p>
        <div class="buttons">
          <Button quiet onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
        <SignInStatus step={step} />
      </div>
    );
  }
  return (
    <div class="held">
      {isHeld ? (
        <p>You are signed in on this device: connect to use it in this workbook.</p>
      ) : (
        <>
          <p>
            {hasEnded
              ? "The sign-in has ended; every cell keeps its number."
              : "Nothing to type: use the account you have."}
          </p>
          {connection.canRemember ? (
            <label class="check">
              <input
                type="checkbox"
                checked={remember}
                onChange={(event) => setRemember(event.currentTarget.checked)}
              />
              <span>
                For all my workbooks on this device
                <span class="hint">
                  Kept encrypted until the sign-in ends. Without it, for this workbook alone.
                </span>
              </span>
            </label>
          ) : null}
        </>
      )}
      <div class="buttons">
        <Button
          primary={!isHeld}
          disabled={ready === null || step.kind === "exchanging"}
          onClick={() => ready && begin(ready)}
        >
          Sign in at {at}
        </Button>
        {isHeld ? (
          <Button quiet onClick={() => void signOut()}>
            Sign out
          </Button>
        ) : null}
      </div>
      <SignInStatus step={step} />
      {step.kind === "open" && ready !== null ? (
        <>
          {step.window === "refused" ? (
            <Message intent="warning">
              The window was not opened. Allow it, or{" "}
              <a href={ready.link} target="_blank" rel="opener">
                open the sign-in by this link
              </a>
              .
            </Message>
          ) : null}
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void take(ready, typed);
            }}
          >
            <fluent-text-input
              id="inv-sign-in-code"
              class="wide"
              autocomplete="off"
              value={typed}
              onInput={(event) => setTyped(valueOf(event))}
            >
              Code, if the window shows one
            </fluent-text-input>
            <div class="buttons">
              <Button quiet submit>
                Use the code
              </Button>
              <Button
                quiet
                onClick={() => {
                  setStep({ kind: "idle" });
                  leave();
                }}
              >
                Cancel
              </Button>
            </div>
          </form>
        </>
      ) : null}
    </div>
  );
}

function SignInStatus({ step }: { step: Step }) {
  return (
    <div role="status">
      {step.kind === "open" && step.window === "there" ? <p>Finish in the window that has opened.</p> : null}
      {step.kind === "open" && step.window === "closed" ? (
        <p>The window was closed. Sign in again, or type the code that it showed.</p>
      ) : null}
      {step.kind === "exchanging" ? <p>Signing in…</p> : null}
      {step.kind === "bad" ? <Message intent="error">{step.words}</Message> : null}
    </div>
  );
}

function valueOf(event: Event): string {
  const value: unknown = event.target === null ? "" : Reflect.get(event.target, "value");
  return typeof value === "string" ? value : "";
}
