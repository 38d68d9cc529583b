/**
 * Office's proxy objects for tests: calls queue until the sync and run in order, a property can be read
 * only once it was loaded and synced, and what a batch loaded arrives only when all of it succeeded.
 */

/** As Office's errors: known by their code. */
export class OfficeError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

export interface Queue {
  readonly actions: { readonly name: string; readonly run: () => void }[];
  /** What the loads of the running batch will deliver once it has succeeded. */
  readonly arrivals: (() => void)[];
  /** Size of the running batch's answer. */
  bytes: number;
}

export interface OfficeObject {
  load(paths: string | readonly string[]): OfficeObject;
  /** Delivers loaded properties. */
  arrive(properties: Readonly<Record<string, unknown>>): void;
}

interface ObjectOptions {
  /** Reads what is asked for; `items/name` and `worksheet/name` come as paths. */
  readonly answer: (paths: readonly string[]) => Readonly<Record<string, unknown>>;
  /** Everything that needs a load before it can be read. */
  readonly properties: readonly string[];
  /** Properties that may be set: the value goes with the next sync. */
  readonly set?: Readonly<Record<string, (value: unknown) => void>>;
}

export function officeObject(queue: Queue, name: string, options: ObjectOptions): OfficeObject {
  const loaded = new Map<string, unknown>();
  const object: OfficeObject = {
    load(paths) {
      const asked = typeof paths === "string" ? paths.split(",") : paths;
      if (asked.length === 0 || asked.includes("")) throw new Error("Nothing was asked for.");
      push(queue, `${name}.load`, () => {
        const answer = options.answer(asked);
        const isWanted = ([property]: [string, unknown]) =>
          property === "isNullObject" || asked.some((path) => path.split("/")[0] === property);
        const wanted = Object.fromEntries(Object.entries(answer).filter(isWanted));
        queue.arrivals.push(() => object.arrive(wanted));
      });
      return object;
    },
    arrive(properties) {
      for (const [property, value] of Object.entries(properties)) loaded.set(property, value);
    },
  };
  for (const property of new Set([...options.properties, ...Object.keys(options.set ?? {})])) {
    const setter = options.set?.[property];
    Object.defineProperty(object, property, {
      get() {
        if (loaded.has(property)) return loaded.get(property);
        throw new OfficeError("PropertyNotLoaded");
      },
      ...(setter && { set: (value: unknown) => push(queue, `${name}.${property}=`, () => setter(value)) }),
    });
  }
  return object;
}

/** Of an item's properties those that a collection was asked for (`items/name`). */
export function itemProperties(
  properties: Readonly<Record<string, unknown>>,
  paths: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => paths.includes(`items/${name}`)));
}

export function push(queue: Queue, name: string, run: () => void): void {
  queue.actions.push({ name, run });
}

export function fail(code: string): never {
  throw new OfficeError(code);
}
