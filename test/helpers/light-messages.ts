/**
 * Light replacements for Request and Response, for properties with thousands of runs and for measurements of processor
 * time: Node's own classes cost more per call than all the code under test, and browsers' are native. They support only what
 * INV's own readers and builders use.
 */

/** Replaces the global classes for the whole test file or process. */
export function useLightMessages(): void {
  Object.assign(globalThis, { Request: LightRequest, Response: LightResponse });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? encoder.encode(body) : body;
}

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : decoder.decode(body);
}

class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal;
  readonly headers: Headers;
  readonly #body: string | Uint8Array;

  constructor(url: string | URL, init: RequestInit) {
    this.url = String(url);
    this.method = init.method ?? "GET";
    this.signal = init.signal ?? new AbortController().signal;
    this.headers = lightHeaders(init.headers as Record<string, string>);
    this.#body = (init.body as string | Uint8Array | null) ?? "";
  }

  text(): Promise<string> {
    return Promise.resolve(textOf(this.#body));
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(Uint8Array.from(bytesOf(this.#body)).buffer);
  }
}

/** Node's error for a body that breaks off. */
const broken = () => new TypeError("terminated");

/** The body breaks off after its text if `breaks` is set. */
class LightResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly type = "basic";
  readonly headers: Headers;
  readonly #bytes: Uint8Array;
  readonly #breaks: boolean;

  constructor(
    body: string | Uint8Array,
    init: { status?: number; headers?: Record<string, string>; breaks?: boolean } = {},
  ) {
    this.#bytes = bytesOf(body);
    this.#breaks = init.breaks ?? false;
    this.status = init.status ?? 200;
    this.ok = this.status >= 200 && this.status < 300;
    this.headers = lightHeaders(init.headers);
  }

  static json(
    value: unknown,
    init: { status?: number; headers?: Record<string, string> } = {},
  ): LightResponse {
    return new LightResponse(JSON.stringify(value), init);
  }

  text(): Promise<string> {
    return this.#breaks ? Promise.reject(broken()) : Promise.resolve(textOf(this.#bytes));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  get body(): unknown {
    const chunks = [this.#bytes];
    const read = () => {
      if (chunks.length === 0 && this.#breaks) return Promise.reject(broken());
      return Promise.resolve({ done: chunks.length === 0, value: chunks.pop() });
    };
    return {
      getReader: () => ({ read, cancel: () => Promise.resolve() }),
      async *[Symbol.asyncIterator]() {
        for (let next = await read(); next.value !== undefined; next = await read()) yield next.value;
      },
    };
  }
}

function lightHeaders(fields: Record<string, string> = {}): Headers {
  const values = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  return { get: (name: string) => values.get(name.toLowerCase()) ?? null } as Headers;
}
