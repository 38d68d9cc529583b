/**
 * Calls the embedded service with requests written by hand from its document: no builder, reader or
 * schema of the project takes part, so that a mistake cannot hide on both sides.
 */
import type { AnyBody, DemoDataBody } from "./bodies";
import type { Backend } from "../../src/embedded-service/backend";
import { createEmbeddedService, type EmbeddedService } from "../../src/embedded-service/embedded-service";
import { listSampleStock } from "../../src/embedded-service/sample-stock/sample-list";
import {
  createSampleService,
  type SampleServiceOptions,
} from "../../src/embedded-service/sample-stock/sample-service";
import { demoWorld } from "../../src/embedded-service/sample-stock/worlds";

export const origin = "http://service.test";

/** Friday noon, UTC. */
export const startMs = Date.parse("2026-11-20T12:00:00Z");
export const fixedGtin = "00012345678905";
export const fixedItemNumber = "123456789";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the text is not JSON. */
  readonly body: AnyBody;
}

export interface Caller extends EmbeddedService {
  /** Name of the account that calls unless another is named. */
  readonly main: string;
  readonly time: { nowMs: number };
  /** Milliseconds the service slept. */
  readonly slept: number[];
  send(path: string, init?: RequestInit): Promise<Answer>;
  /** A token of an account by name. */
  token(name: string): Promise<string>;
  /** The two headers every data call needs. */
  headers(name?: string): Promise<Record<string, string>>;
  search(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  events(query: string, headers?: Record<string, string>): Promise<Answer>;
}

/** Another backend under all callers that are created from now on; null: the demo's. */
let otherBackend: ((now: () => number) => Backend) | null = null;

/** The callers that are created from now on ask this backend; null: the demo's own. */
export function callBackend(create: ((now: () => number) => Backend) | null): void {
  otherBackend = create;
}

export function createCaller(options: Partial<SampleServiceOptions> = {}): Caller {
  const time = { nowMs: startMs };
  const slept: number[] = [];
  const now = () => time.nowMs;
  const all: SampleServiceOptions = {
    now,
    random: () => 0.5,
    sleep: (waitMs) => {
      slept.push(waitMs);
      return Promise.resolve();
    },
    ...options,
  };
  const demo = otherBackend === null ? createSampleService(all) : overBackend(otherBackend(now), all);

  async function send(path: string, init?: RequestInit): Promise<Answer> {
    return read(await demo.service(new Request(origin + path, init)));
  }

  async function token(name: string): Promise<string> {
    const answer = await send("/api-proxy/service/identity/oauth/v1/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=client_credentials&client_id=${name}-consumer&client_secret=${name}-secret`,
    });
    return answer.body.access_token;
  }

  const main = (options.world ?? demoWorld).accounts.named[0].name;

  async function headers(name = main): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await token(name)}`, "wm_consumer.id": `${name}-consumer` };
  }

  return {
    ...demo,
    main,
    time,
    slept,
    send,
    token,
    headers,
    search: async (body, own) =>
      send("/search-items", {
        method: "POST",
        headers: { "content-type": "application/json", ...(own ?? (await headers())) },
        body: JSON.stringify(body),
      }),
    events: async (query, own) => send(`/events?${query}`, { headers: own ?? (await headers()) }),
  };
}

function overBackend(backend: Backend, options: SampleServiceOptions): EmbeddedService {
  const list = () => Promise.resolve(listSampleStock(demoWorld, 1));
  return createEmbeddedService({ backend, list }, options);
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) as AnyBody };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What there is to ask for; the same for every test. */
export async function demoData(): Promise<DemoDataBody> {
  const { text } = await createCaller().send("/demo-data");
  return JSON.parse(text) as DemoDataBody;
}
