/**
 * What stands in the place of the credentials' fields where people sign in: one button, then who is signed in and the
 * way out. While the window is open the pane waits for its code, which can also be typed: a provider may have cut the
 * window off from the pane.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import type { Environment } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import { Button, Field, Message } from "../parts/parts";
import type { PaneServices, ReadySignIn, SignInPopup } from "../services";
import { useAlive } from "../parts/use-source";

interface SignInFormProps {
  services: PaneServices;
  connection: ConnectionState;
  entry: Environment;
}

/** Under way, until a code is taken; one that is wrong leaves it as it is, since the server bears several. */
interface UnderWay {
  readonly kind: "under-way";
  readonly window: "there" | "refused" | "closed";
  readonly exchanging: boolean;
  readonly wrongCode: string | null;
}

type Step = { readonly kind: "idle" } | UnderWay | { readonly kind: "bad"; readonly words: string };

export function SignInForm({ services, connection, entry }: SignInFormProps) {
  const [ready, setReady] = useState<ReadySignIn | null>(null);
  const [step, setStep] = useState<Step>({ kind: "idle" });
  const [remember, setRemember] = useState(true);
  const [typed, setTyped] = useState("");
  const open = useRef<SignInPopup | null>(null);
  const field = useRef<HTMLInputElement | null>(null);
  const alive = useAlive();
  const at = entry.signIn?.at ?? "";
  const inUse = connection.environment?.id === entry.id;
  const isExchanging = step.kind === "under-way" && step.exchanging;
  const hasEnded = services.engine.progress().faults.some(({ error }) => error.code === "signed-out");
  const isIn = inUse && connection.person !== null && !hasEnded;
  const isHeld =
    !isIn && !hasEnded && (connection.held.includes(entry.id) || connection.remembered.includes(entry.id));

  function fail(error: unknown): void {
    if (alive.current) setStep({ kind: "bad", words: toInvError(error).message });
  }

  function change(next: Partial<Omit<UnderWay, "kind">>): void {
    if (alive.current) setStep((now) => (now.kind === "under-way" ? { ...now, ...next } : now));
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
    setStep({ kind: "under-way", window: "there", exchanging: false, wrongCode: null });
    open.current = current.open((word) => {
      if (word.kind === "code") void take(current, word.code);
      else change({ window: word.kind });
    });
  }

  async function take(current: ReadySignIn, code: string): Promise<void> {
    change({ exchanging: true, wrongCode: null });
    try {
      await current.take(code, remember && connection.canRemember);
      if (alive.current) setStep({ kind: "idle" });
      leave();
    } catch (error) {
      const { code: reason, message } = toInvError(error);
      if (reason === "signed-out") change({ exchanging: false, wrongCode: message });
      else fail(error);
    }
  }

  async function takeTyped(current: ReadySignIn): Promise<void> {
    if (isExchanging) return;
    await take(current, typed);
    field.current?.focus();
    field.current?.select();
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
          disabled={ready === null || isExchanging}
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
      {step.kind === "under-way" && ready !== null ? (
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
              void takeTyped(ready);
            }}
          >
            <Field id="inv-sign-in-code" label="Code, if the window shows one">
              <input
                id="inv-sign-in-code"
                class="control"
                ref={field}
                spellcheck={false}
                autocomplete="off"
                aria-describedby="inv-sign-in-code-wrong"
                aria-invalid={step.wrongCode !== null}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
              <p class="refused" id="inv-sign-in-code-wrong" role="alert">
                {step.wrongCode}
              </p>
            </Field>
            <div class="buttons">
              <Button quiet submit>
                Use the code
              </Button>
              <Button
                quiet
                disabled={isExchanging}
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
  const words = step.kind === "under-way" ? wordsOf(step) : null;
  return (
    <div role="status">
      {words === null ? null : <p>{words}</p>}
      {step.kind === "bad" ? <Message intent="error">{step.words}</Message> : null}
    </div>
  );
}

function wordsOf({ window, exchanging }: UnderWay): string | null {
  if (exchanging) return "Signing in…";
  switch (window) {
    case "there":
      return "Finish in the window that has opened.";
    case "closed":
      return "The window was closed. Sign in again, or type the code that it showed.";
    // A message of its own says it, with a link.
    case "refused":
      return null;
  }
}
