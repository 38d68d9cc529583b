/**
 * One attempt of one request. It ends exactly once, within its timeout. If the computer slept meanwhile, the timer is late and the
 * response old: its stock would show as new, and its token as valid. So a response that is older than the timeout is a timeout.
 */
import type { Failure } from "../../api/outcomes";
import { InvError } from "../../domain/errors";
import { unawaited } from "../../domain/unawaited";
import type { ConnectionContext } from "../connection-context";

export interface Attempt<Outcome> {
  readonly outcome: Promise<Outcome | AttemptFailure>;
  /** Ends the attempt now. */
  abort(): void;
}

type AttemptFailure = Extract<Failure, { kind: "unavailable" | "unreadable" }>;

/** Builds the request of an attempt, and reads its response. */
export interface AttemptCodec<Outcome> {
  build(signal: AbortSignal): Request;
  /** @param secrets what the response may repeat, and nobody may see */
  receive(response: Response, secrets: readonly string[]): Promise<Outcome>;
}

export const attemptTimeoutMs = 15_000;

/**
 * Starts one attempt. It ends with an outcome even if the address is invalid, or if the transport throws, hangs, breaks off or
 * ignores the abort signal.
 */
export function beginAttempt<Outcome>(
  { clock, transport, secretNow }: Pick<ConnectionContext, "clock" | "transport" | "secretNow">,
  { build, receive }: AttemptCodec<Outcome>,
): Attempt<Outcome> {
  const controller = new AbortController();
  const [sentAtMs, sentAtSteadyMs] = [clock.now(), clock.steadyNow()];
  let end: (outcome: Outcome | AttemptFailure) => void = () => undefined;
  const outcome = new Promise<Outcome | AttemptFailure>((resolve) => (end = resolve));
  const giveUp = (failure: AttemptFailure): void => {
    clock.clearTimeout(timer);
    end(failure);
    controller.abort();
  };
  const timer = clock.setTimeout(() => giveUp(timedOut()), attemptTimeoutMs);

  /** Checks both clocks, because the steady one may stop while the computer sleeps. */
  function isLate(): boolean {
    return Math.max(clock.now() - sentAtMs, clock.steadyNow() - sentAtSteadyMs) > attemptTimeoutMs;
  }

  async function run(): Promise<Outcome | AttemptFailure> {
    let request: Request;
    try {
      request = build(controller.signal);
    } catch (cause) {
      return { kind: "unreadable", error: new InvError("wrong-address", badAddress, { cause }) };
    }
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    const secrets = [secretNow(), token];
    try {
      return await receive(await transport(request), secrets);
    } catch (cause) {
      return { kind: "unavailable", error: new InvError("unreachable", unreachable, { cause }) };
    }
  }

  unawaited(
    run().then((result) => {
      clock.clearTimeout(timer);
      end(isLate() ? timedOut() : result);
    }),
  );
  return { outcome, abort: () => giveUp(cancelled()) };
}

const unreachable =
  "INV can't reach the service. Check your network connection, then refresh. If it happens again, ask your administrator.";
const badAddress =
  "The environment's address for the service isn't a web address. Ask your administrator to check it.";

function timedOut(): AttemptFailure {
  const message = `The service didn't answer within ${attemptTimeoutMs / 1_000} seconds. Refresh in a few minutes. If it happens again, send your administrator the diagnostics (Settings tab).`;
  return { kind: "unavailable", error: new InvError("timeout", message) };
}

function cancelled(): AttemptFailure {
  const message = "The request was cancelled. Refresh to send it again.";
  return { kind: "unavailable", error: new InvError("cancelled", message) };
}
