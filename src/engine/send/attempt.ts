/**
 * One attempt of one call: builds the request, sends it, reads the answer, and gives up after a time.
 * Whatever happens (a transport that throws, hangs or breaks off, an address that is none) becomes an
 * outcome; whether to try again is decided elsewhere. Invariant: it always ends, once, and within its
 * time, even when the transport ignores that it was told to stop.
 */
import type { Failure } from "../../api/outcomes";
import type { Transport } from "../../api/transport";
import { InvError } from "../../domain/errors";
import type { Clock } from "../clock";

export interface Attempt<Outcome> {
  readonly outcome: Promise<Outcome | AttemptFailure>;
  /** Ends it now, for somebody who no longer wants its answer. */
  abort(): void;
}

type AttemptFailure = Extract<Failure, { kind: "unavailable" | "unreadable" }>;

export interface Exchange<Outcome> {
  build(signal: AbortSignal): Request;
  receive(response: Response): Promise<Outcome>;
}

export interface AttemptTools {
  readonly clock: Clock;
  readonly transport: Transport;
}

export const attemptTimeoutMs = 15_000;

export function beginAttempt<Outcome>(
  { clock, transport }: AttemptTools,
  exchange: Exchange<Outcome>,
): Attempt<Outcome> {
  const controller = new AbortController();
  let end: (ended: Outcome | AttemptFailure) => void = () => undefined;
  const outcome = new Promise<Outcome | AttemptFailure>((resolve) => (end = resolve));
  const giveUp = (failure: AttemptFailure) => {
    clock.clearTimeout(timer);
    end(failure);
    controller.abort();
  };
  const timer = clock.setTimeout(() => giveUp(timedOut()), attemptTimeoutMs);
  void run({ transport, exchange, signal: controller.signal }).then((ended) => {
    clock.clearTimeout(timer);
    end(ended);
  });
  return { outcome, abort: () => giveUp(givenUp()) };
}

async function run<Outcome>(call: {
  readonly transport: Transport;
  readonly exchange: Exchange<Outcome>;
  readonly signal: AbortSignal;
}): Promise<Outcome | AttemptFailure> {
  let request: Request;
  try {
    request = call.exchange.build(call.signal);
  } catch (cause) {
    return { kind: "unreadable", error: badAddress(cause) };
  }
  try {
    return await call.exchange.receive(await call.transport(request));
  } catch (cause) {
    return { kind: "unavailable", error: unreachable(cause) };
  }
}

function timedOut(): AttemptFailure {
  const message = `The service did not answer within ${attemptTimeoutMs / 1_000} seconds. Refresh in a few minutes; if it stays, tell support.`;
  return { kind: "unavailable", error: new InvError("timeout", message) };
}

function givenUp(): AttemptFailure {
  const message = "The call was given up. Refresh to ask again.";
  return { kind: "unavailable", error: new InvError("cancelled", message) };
}

function unreachable(cause: unknown): InvError {
  const message =
    "The service cannot be reached. Check the network connection, then refresh; if it stays, ask the administrator.";
  return new InvError("unreachable", message, { cause });
}

function badAddress(cause: unknown): InvError {
  const message =
    "Expected a web address for the service, the environment has another. Ask the administrator to check it.";
  return new InvError("wrong-address", message, { cause });
}
