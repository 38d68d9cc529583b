/**
 * Saves the browser workbook on this device (IndexedDB). Of two tabs, only the first one saves. Every save checks that nobody else has
 * saved in between, so nothing is overwritten unseen. Saves of this tab run one after another. A workbook of a newer INV, and data that
 * isn't a workbook, stay untouched.
 * A save follows a moment after the last change, and when the page is hidden. While cells wait for values or changes follow each other,
 * INV saves every few seconds. A page that is left before its last edits are saved asks first, because the browser doesn't finish saving
 * after the page is gone (tried in Chromium).
 */
import { messageOf } from "../../domain/errors";
import { createTaskQueue } from "../../domain/task-queue";

export type SavedWorkbook =
  | { readonly kind: "none" }
  | { readonly kind: "saved"; readonly snapshot: object }
  | { readonly kind: "refused"; readonly reason: string };

export const unchangedUntilStartOver =
  "It is left as it is, and nothing is saved here until you choose Start over, which deletes it.";

export interface SavedBook {
  read(): Promise<SavedWorkbook>;
  /** False if another tab has the workbook, which this tab then never saves. */
  readonly mayWrite: Promise<boolean>;
  /** Returns false if this tab may not save, because another tab has the workbook or has saved it since. */
  save(snapshot: object): Promise<boolean>;
  /** Deletes the saved workbook. After that, this tab stops saving. */
  clear(): Promise<void>;
}

export interface SavedBookParts {
  /** The environment with which the page starts; each has its own workbook. */
  readonly environment: string;
  readonly indexedDB: IDBFactory;
  /** Null if the browser has none; then only the check at each save protects the workbook. */
  readonly locks: Pick<LockManager, "request"> | null;
}

interface Saved {
  readonly format: number;
  readonly version: number;
  readonly snapshot: object;
}

const databaseName = "inv-workbook";
const storeName = "books";
const firstKey = "open";
/** The environment whose workbook has the first key. */
const firstEnvironment = "demo";
const format = 1;

export function createSavedBook({ environment, indexedDB, locks }: SavedBookParts): SavedBook {
  const key = environment === firstEnvironment ? firstKey : `${firstKey} ${environment}`;
  let seenVersion = 0;
  let isClosed = false;
  // Two saves at once would each mistake the other for another tab's.
  const inTurn = createTaskQueue();
  const mayWrite = locks === null ? Promise.resolve(true) : holdLock(locks, `${databaseName} ${key}`);

  async function saveNow(snapshot: object): Promise<boolean> {
    if (isClosed || !(await mayWrite)) return false;
    const isSame = await within(indexedDB, "readwrite", (store) =>
      putIfUnchanged(store, { key, version: seenVersion, snapshot }),
    );
    if (isSame) seenVersion += 1;
    else isClosed = true;
    return isSame;
  }

  return {
    mayWrite,
    async read() {
      let found: unknown;
      try {
        found = await within(indexedDB, "readonly", (store) => resultOf(store.get(key)));
      } catch (error) {
        isClosed = true;
        return {
          kind: "refused",
          reason: `The browser's storage can't be read, and nothing is saved here: ${messageOf(error)} Reload the page to try again, or download a copy before you leave.`,
        };
      }
      if (found === undefined) return { kind: "none" };
      if (!isSaved(found)) {
        return { kind: "refused", reason: `The saved workbook is damaged. ${unchangedUntilStartOver}` };
      }
      if (found.format > format) {
        isClosed = true;
        return {
          kind: "refused",
          reason:
            "The saved workbook is from a newer INV and is left as it is; nothing is saved here. Reload when INV is up to date.",
        };
      }
      seenVersion = found.version;
      return { kind: "saved", snapshot: found.snapshot };
    },
    save: (snapshot) => inTurn(() => saveNow(snapshot)),
    async clear() {
      isClosed = true;
      await within(indexedDB, "readwrite", (store) => resultOf(store.delete(key)));
    },
  };
}

/** Returns whether this tab got the lock of its workbook. The tab keeps the lock until it is closed. */
function holdLock(locks: Pick<LockManager, "request">, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? Promise.resolve() : new Promise(() => undefined);
    });
    request.catch(() => resolve(true));
  });
}

function isSaved(value: unknown): value is Saved {
  if (typeof value !== "object" || value === null) return false;
  const { format: savedFormat, version, snapshot } = value as Partial<Record<keyof Saved, unknown>>;
  return Number.isInteger(savedFormat) && Number.isInteger(version) && typeof snapshot === "object";
}

interface Put {
  readonly key: string;
  readonly version: number;
  readonly snapshot: object;
}

/** Works in one transaction, so that nobody can save between reading and writing. */
async function putIfUnchanged(store: IDBObjectStore, { key, version, snapshot }: Put): Promise<boolean> {
  const found: unknown = await resultOf(store.get(key));
  if ((isSaved(found) ? found.version : 0) !== version) return false;
  await resultOf(store.put({ format, version: version + 1, snapshot } satisfies Saved, key));
  return true;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failed(request.error));
  });
}

/** Resolves with the result of the work once its transaction is complete. */
async function within<T>(
  factory: IDBFactory,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await open(factory);
  try {
    const transaction = database.transaction(storeName, mode);
    const complete = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(failed(transaction.error));
    });
    const [result] = await Promise.all([work(transaction.objectStore(storeName)), complete]);
    return result;
  } finally {
    database.close();
  }
}

function open(factory: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failed(request.error));
    request.onblocked = () => reject(failed(null));
  });
}

function failed(error: DOMException | null): Error {
  return error ?? new Error("The browser's database did not answer.");
}

const restMs = 1_000;
const maxUnsavedMs = 5_000;

export interface Autosave {
  /** @param isEdit whether a person's work would be lost without a save; values are calculated again */
  onChange(isEdit: boolean): void;
  /** Ends saving, and asks no more before the page is left. */
  end(): void;
}

export function createAutosave({
  book,
  snapshot,
  busy,
  isTyping,
  tell,
}: {
  readonly book: SavedBook;
  snapshot(): object;
  /** Whether cells still wait for values. */
  busy(): boolean;
  /** Whether a cell is being edited. */
  isTyping(): boolean;
  /** Shows a message until the next one; "" clears it. */
  tell(sentence: string): void;
}): Autosave {
  let timer: number | null = null;
  /** When the first change since the last save was made; null if everything is saved. */
  let unsavedSinceMs: number | null = null;
  let edits = 0;
  let savedEdits = 0;
  let isOver = false;
  let hasFailed = false;

  function save(): void {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    if (unsavedSinceMs === null || isOver) return;
    unsavedSinceMs = null;
    const contained = edits;
    book.save(snapshot()).then(
      (saved) => {
        if (saved && hasFailed) tell("");
        hasFailed = false;
        if (saved) savedEdits = contained;
        else refuse();
      },
      () => {
        unsavedSinceMs ??= performance.now();
        hasFailed = true;
        tell(
          "The browser couldn't save the workbook, because its storage is full or blocked. Download a copy.",
        );
      },
    );
  }

  function refuse(): void {
    isOver = true;
    tell(
      "This workbook is open in another tab, which saves it. Changes in this tab are not kept. Use the other tab, or download this workbook.",
    );
  }

  function saveSoon(): void {
    if (timer !== null) window.clearTimeout(timer);
    const isOverdue = performance.now() - (unsavedSinceMs ?? Infinity) >= maxUnsavedMs;
    timer = window.setTimeout(() => (busy() && !isOverdue ? saveSoon() : save()), isOverdue ? 0 : restMs);
  }

  function askBeforeLeaving(event: BeforeUnloadEvent): void {
    if (edits !== savedEdits || isTyping()) event.preventDefault();
  }

  book.mayWrite.then(
    (mayWrite) => mayWrite || refuse(),
    () => undefined,
  );
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  window.addEventListener("beforeunload", askBeforeLeaving);
  return {
    onChange(isEdit) {
      if (isEdit) edits += 1;
      unsavedSinceMs ??= performance.now();
      saveSoon();
    },
    end() {
      isOver = true;
      window.removeEventListener("beforeunload", askBeforeLeaving);
    },
  };
}
