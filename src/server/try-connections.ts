/**
 * `--check --connect`: tries each environment's hosts, the service's token if this server has the
 * credentials, the sign-in provider, Redis and the ports. It ends within 20 seconds. It sends no data call,
 * so it uses no quota.
 */
import { createServer } from "node:net";
import type { Dispatcher } from "undici";
import { codesOf } from "./relay/send-call";
import { portFault, type PortSetting } from "./open-port";
import { proxyCode } from "./relay/outgoing";
import { parseAddresses } from "./relay/page-request";
import { createDispatcher, createUpstream } from "./relay/upstream";
import { tryRedis } from "./redis/try-redis";
import { portsOf, type RealEnvironment, type ServerConfig } from "./settings/read";
import type { SteadyClock } from "./steady-clock";
import { createCompanyToken } from "./sign-in/company-token";
import { createSecret } from "./sign-in/secret";
import { lookAtProvider } from "./sign-in/sign-in";
import { codeOf } from "./system-error";

export interface ConnectionTest {
  readonly what: string;
  readonly faults: readonly string[];
}

const timeouts = { connectTimeoutMs: 8_000, answerTimeoutMs: 8_000, totalTimeoutMs: 15_000 };

export async function tryConnections(
  config: ServerConfig,
  clock: SteadyClock,
): Promise<readonly ConnectionTest[]> {
  const { redis, signIn } = config;
  const dispatcher = createDispatcher({ ...config.outgoing, ...timeouts });
  try {
    return await Promise.all([
      ...config.environments.map(async (environment, index) => ({
        what: `environments[${index}] (${environment.id})`,
        faults: await tryEnvironment(environment, { config, clock, dispatcher }),
      })),
      ...portsOf(config).map(tryPort),
      ...(redis === null
        ? []
        : [
            tryRedis({ ...redis, cacheMegabytes: config.cacheMegabytes }, clock).then((faults) => ({
              what: "redis",
              faults,
            })),
          ]),
      ...(signIn === undefined
        ? []
        : [
            lookAtProvider(config, signIn).then((fault) => ({
              what: "signIn",
              faults: fault === null ? [] : [fault],
            })),
          ]),
    ]);
  } finally {
    await dispatcher.destroy();
  }
}

interface Means {
  readonly config: ServerConfig;
  readonly clock: SteadyClock;
  readonly dispatcher: Dispatcher;
}

/** Any answer from a host shows that its name resolves and that its certificate is trusted. */
async function tryEnvironment(
  environment: RealEnvironment,
  { config, clock, dispatcher }: Means,
): Promise<readonly string[]> {
  const { tokenUrl, searchUrl, eventsUrl } = parseAddresses(environment);
  const origins = [...new Set([tokenUrl, searchUrl, eventsUrl].map(({ origin }) => origin))];
  const reached = await Promise.all(
    origins.map(async (origin) => {
      try {
        const { body } = await dispatcher.request({ origin, path: "/", method: "HEAD" });
        await body.dump();
        return [];
      } catch (error) {
        const code = codesOf(error).at(-1) ?? "unknown";
        return code.startsWith(proxyCode)
          ? [`outgoing.proxy can't be reached: ${code.slice(proxyCode.length)}.`]
          : [`${origin} can't be reached: ${code}.`];
      }
    }),
  );
  const faults = [...new Set(reached.flat())];
  if (faults.length > 0 || environment.credentials === "user") return faults;
  const upstream = createUpstream({ ...config.outgoing, ...timeouts });
  const refused: string[] = [];
  const token = createCompanyToken({
    clock,
    target: { tokenUrl, send: upstream.send, tokenAsked: () => undefined },
    clientId: environment.clientId ?? "",
    readSecret: createSecret(environment.secret ?? ""),
    warn: (reason) => refused.push(`${environment.id}: ${reason}`),
  });
  await token.current();
  await upstream.close();
  return refused;
}

function tryPort(given: PortSetting): Promise<ConnectionTest> {
  const { host, port } = given;
  return new Promise((resolve) => {
    const server = createServer();
    const end = (faults: readonly string[]): void => resolve({ what: `port ${port}`, faults });
    server.once("error", (error) => {
      const advice = codeOf(error) === "EADDRINUSE" ? " If it is INV, stop it for this check." : "";
      end([portFault(error, given) + advice]);
    });
    server.listen({ host, port }, () => server.close(() => end([])));
  });
}
