/**
 * Calls the embedded service with requests written by hand from its document, without INV's own builders, readers and schemas, so that
 * a mistake can't hide on both sides.
 */
import type { AnyBody } from "./bodies";
import type { Backend } from "../../src/embedded-service/backend";
import { createFaults, type Faults } from "../../src/embedded-service/fault-switches";
import {
  createSampleService,
  type SampleServiceOptions,
} from "../../src/embedded-service/sample-stock/sample-service";
import { demoWorld, type SampleWorld } from "../../src/embedded-service/sample-stock/worlds";
import { createService, type Service } from "../../src/embedded-service/service";

export const origin = "http://service.test";

/** Friday noon, UTC. */
export const startMs = Date.parse("2026-11-20T12:00:00Z");
export const fixedGtin = "00012345678905";
export const fixedItemNumber = "123456789";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the text isn't JSON. */
  readonly body: AnyBody;
}

export interface Caller {
  readonly service: Service;
  readonly faults: Faults;
  /** Name of the default account. */
  readonly main: string;
  readonly time: { nowMs: number };
  /** Milliseconds the service slept. */
  readonly slept: number[];
  send(path: string, init?: RequestInit): Promise<Answer>;
  /** Returns a token of the named account; of the main one by default. */
  token(name?: string): Promise<string>;
  /** Returns the two headers of every data request. */
  headers(name?: string): Promise<Record<string, string>>;
  search(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  events(query: string, headers?: Record<string, string>): Promise<Answer>;
}

interface Stage {
  readonly world: SampleWorld;
  /** Another backend for the demo's accounts; null for the world's own. */
  readonly backend: ((now: () => number) => Backend) | null;
}

const demoStage: Stage = { world: demoWorld, backend: null };
let stage = demoStage;

/** Callers that are created from now on use this world, or this backend. */
export function setStage(next: Partial<Stage>): void {
  stage = { ...demoStage, ...next };
}

export function createCaller(options: Partial<SampleServiceOptions> = {}): Caller {
  const time = { nowMs: startMs };
  const slept: number[] = [];
  const now = () => time.nowMs;
  const { backend } = stage;
  const { world = stage.world } = options;
  const faults = createFaults();
  const all = {
    now,
    faults,
    random: () => 0.5,
    sleep: (waitMs: number) => {
      slept.push(waitMs);
      return Promise.resolve();
    },
    ...options,
    world,
  };
  const service =
    backend === null
      ? createSampleService(all)
      : createService({ ...all, backend: backend(now), list: () => Promise.resolve(null) });

  async function send(path: string, init?: RequestInit): Promise<Answer> {
    return read(await service(new Request(origin + path, init)));
  }

  const main = world.accounts.named[0].name;

  /** Accepts `rival`, or the whole name with the world's prefix. */
  const nameOf = (given: string): string =>
    world.accounts.named.find(({ name }) => name === `${main}-${given}`)?.name ?? given;

  async function token(given = main): Promise<string> {
    const name = nameOf(given);
    const answer = await send("/api-proxy/service/identity/oauth/v1/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=client_credentials&client_id=${name}-consumer&client_secret=${name}-secret`,
    });
    return answer.body.access_token;
  }

  async function headers(given = main): Promise<Record<string, string>> {
    const name = nameOf(given);
    return { authorization: `Bearer ${await token(name)}`, "wm_consumer.id": `${name}-consumer` };
  }

  return {
    service,
    faults,
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
