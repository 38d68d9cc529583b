/** Servers for tests, without a port: the whole server with sample stock, or the relay before the test's own service. */
import { tmpdir } from "node:os";
import Fastify, { type FastifyInstance } from "fastify";
import { type AppOptions, createApp, plugIns } from "../../src/server/app";
import type { SteadyClock } from "../../src/server/steady-clock";
import { relayRoutes, type RelayRoutesOptions } from "../../src/server/relay/routes";
import { createTokenRefusals } from "../../src/server/relay/token-refusals";
import { embeddedAt } from "../helpers/embedded";
import { clockOf, looseCompany, settings, silentLog, tokensOf } from "./parts";

/** Defaults: a clock that doesn't move, the default settings and no pages. */
export function openApp(changes: Partial<AppOptions> = {}, used = plugIns): Promise<FastifyInstance> {
  const now = () => 1_795_000_000_000;
  const options: AppOptions = {
    config: settings(),
    folder: tmpdir(),
    embedded: { ...embeddedAt(now), faultSwitches: false },
    now: () => 0,
    log: silentLog,
    ...changes,
  };
  return createApp(options, used);
}

type Target = RelayRoutesOptions["targets"][number];

export interface RelayBedOptions extends Partial<Omit<RelayRoutesOptions, "targets" | "clock">> {
  readonly send: Target["send"];
  /** Default: only "live". All targets share one address. */
  readonly targets?: readonly Partial<Target>[];
  readonly clock?: SteadyClock;
  /** Called before the relay's routes exist. */
  readonly prepare?: (fastify: FastifyInstance) => void;
}

/** A relay with a quota that never delays a call. The first environment knows one page's token. */
export async function openRelay(options: RelayBedOptions): Promise<FastifyInstance> {
  const { send, targets = [{}], clock = clockOf(() => 0), prepare, ...more } = options;
  const url = new URL("https://api.example.com/");
  const live = {
    id: "live",
    tokenUrl: url,
    searchUrl: url,
    eventsUrl: url,
    authorization: "bearer" as const,
    tokenAsked: () => undefined,
  };
  const fastify = Fastify();
  prepare?.(fastify);
  await fastify.register(relayRoutes, {
    targets: targets.map((target) => ({ ...live, ...target, send })),
    company: looseCompany(),
    tokens: tokensOf(targets[0]?.id ?? live.id),
    refusals: createTokenRefusals(clock),
    clock,
    answered: () => undefined,
    ...more,
  });
  return fastify;
}
