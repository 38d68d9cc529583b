/**
 * The canary: one real call that shows whether the service answers at all, before anything is built on that. It is a
 * refresh's first call, of its own work, or the test of a connection, which asks for one item that the service need
 * not know: any answer to it will do, a "no data" included. It goes before all other calls, past the circuit and past a
 * fault that stood before it, and whatever it holds is brought by it as by any call.
 *
 * A test says at once what is wrong: it is tried once, with the token it renewed, and where the quota is shut it does
 * not wait. A refresh waits for the quota, as the price said before the click, and is retried as cells are.
 */
import type { InvError } from "../domain/errors";
import type { ItemQuery } from "../domain/records";

export interface Canary {
  readonly isTest: boolean;
  /** Resolves when the service has answered; rejects with the reason why it has not. */
  readonly ended: Promise<void>;
  readonly isOver: boolean;
  end(error: InvError | null): void;
}

/** What is asked for when nothing is known to ask for. */
export const anyItem: ItemQuery = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" };

export function createCanary(isTest: boolean): Canary {
  let isOver = false;
  let end: Canary["end"] = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === null ? resolve() : reject(error));
  });
  return {
    isTest,
    ended,
    get isOver() {
      return isOver;
    },
    end(error) {
      isOver = true;
      end(error);
    },
  };
}
