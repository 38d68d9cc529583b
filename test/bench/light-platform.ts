/**
 * Light replacements for the platform's Request, Response and AbortController, for measuring processor time: a client's work
 * between a cell and a call, and between an answer and a cell. Node's own are written in JavaScript and cost more per call
 * than the client's work. Browsers' are native, and every client needs them. Bodies are bytes, as from a network: the
 * reader decodes them.
 */

/** Replaces the global classes for the rest of this process. */
export function useLightPlatform(): void {
  Object.assign(globalThis, {
    Request: LightRequest,
    Response: LightResponse,
    AbortController: LightAbortController,
  });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class LightRequest {
  readonly signal: AbortSignal | null;
  readonly headers: { get(name: string): string | null };
  readonly #body: string;

  constructor(
    readonly url: string,
    init: RequestInit,
  ) {
    this.signal = init.signal ?? null;
    this.#body = init.body as string;
    const fields = (init.headers ?? {}) as Record<string, string>;
    this.headers = { get: (name) => fields[name] ?? null };
  }

  text(): Promise<string> {
    return Promise.resolve(this.#body);
  }
}

class LightResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: ReadonlyMap<string, string>;
  readonly #bytes: Uint8Array;

  constructor(body: string | Uint8Array, init: { status?: number; headers?: Record<string, string> } = {}) {
    this.#bytes = typeof body === "string" ? encoder.encode(body) : body;
    this.status = init.status ?? 200;
    this.ok = this.status >= 200 && this.status < 300;
    this.headers = init.headers === undefined ? noHeaders : new Map(Object.entries(init.headers));
  }

  get body(): { getReader(): { read(): Promise<Chunk> } } {
    const chunks = [this.#bytes];
    const read = (): Promise<Chunk> => Promise.resolve({ done: chunks.length === 0, value: chunks.pop() });
    return { getReader: () => ({ read }) };
  }

  text(): Promise<string> {
    return Promise.resolve(decoder.decode(this.#bytes));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }
}

interface Chunk {
  readonly done: boolean;
  readonly value: Uint8Array | undefined;
}

const noHeaders: ReadonlyMap<string, string> = new Map();

/** Nothing is aborted in the sheets whose processor time is measured. */
class LightAbortController {
  readonly signal = { aborted: false, addEventListener: () => undefined, throwIfAborted: () => undefined };
}
