/**
 * The embedded service: a function from Request to Response that answers as the document says the real service does. Two more paths
 * describe it: `/openapi.json`, and `/demo-data`, which lists stores and items. It knows its world only through the Backend, and
 * neither Node nor a page; a server mounts it, tests call it. It answers every request: errors inside become the documented 500,
 * without details.
 */
import { createAccess } from "./access";
import { type ServiceCall, json, notFound, type OperationName, problem, unavailable } from "./answers";
import type { Backend } from "./backend";
import { answerEvents } from "./events";
import { type Faults, playFaults } from "./fault-switches";
import { openApiDocument } from "./openapi";
import { createRateWindow } from "./rate-window";
import { createSealer } from "./seal";
import { answerSearch } from "./search";
import { answerToken, tokenError } from "./token";

/** Rejects only for the fault `hang`, when the request's signal aborts. An HTTP host then closes the connection. */
export type Service = (request: Request) => Promise<Response>;

export interface ServiceOptions {
  readonly backend: Backend;
  /** Returns accounts, stores and items, for people and programs that try the service. Not part of the contract. */
  list(): Promise<unknown>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** At least 0 and less than 1. For fault switches and trace ids, never for secrets. */
  readonly random: () => number;
  readonly sleep: (waitMs: number) => Promise<void>;
  readonly faults: Faults;
  readonly tokenLifetimeSeconds?: number;
  /** Requests of a consumer in any 60 seconds, for each of the two data operations. */
  readonly ratePerMinute?: number;
  /** Services with the same text accept each other's tokens. Without it, tokens are valid only here, until the process ends. */
  readonly sealedWith?: string;
  /** `wm_svc.env` in errors of the gateway. */
  readonly environment?: string;
  /** Follow the document's sandbox where it differs from production. */
  readonly isSandbox?: boolean;
  /** Receives errors inside the service; the caller gets a 500 without details. */
  readonly reportError?: (error: unknown) => void;
}

export const tokenPath = "/api-proxy/service/identity/oauth/v1/token";
const defaultTokenLifetimeSeconds = 900;
export const defaultRatePerMinute = 600;

interface Route {
  readonly method: "GET" | "POST";
  readonly operation: OperationName | "token" | "description";
  readonly answer: (call: ServiceCall) => Promise<Response>;
}

export function createService(options: ServiceOptions): Service {
  const environment = options.environment ?? "demo";
  const routes = createRoutes(options, environment);
  return async (request) => {
    const call: ServiceCall = { request, url: new URL(request.url), traceId: traceId(options.random) };
    const route = routes[call.url.pathname];
    if (route === undefined) return notFound(call, "Requested resource does not exist");
    if (request.method !== route.method) return wrongMethod(call, route);
    const { operation } = route;
    const answer = async (): Promise<Response> => {
      try {
        return await route.answer(call);
      } catch (error) {
        options.reportError?.(error);
        return operation === "token"
          ? tokenError(500, "temporarily_unavailable", "The service is not available. Try again later.")
          : unavailable(call);
      }
    };
    if (operation === "description") return answer();
    return playFaults({ call, operation }, answer, { ...options, environment });
  };
}

function createRoutes(
  options: ServiceOptions,
  environment: string,
): Readonly<Partial<Record<string, Route>>> {
  const { now, tokenLifetimeSeconds = defaultTokenLifetimeSeconds } = options;
  const { isSandbox = false } = options;
  const { accounts, stock, history } = options.backend;
  const sealer = createSealer(options.sealedWith);
  const rateWindow = createRateWindow(options.ratePerMinute ?? defaultRatePerMinute);
  const access = createAccess({ accounts, sealer, rateWindow, now, tokenLifetimeSeconds, environment });
  const routes: Record<string, Route> = {
    [tokenPath]: {
      method: "POST",
      operation: "token",
      answer: (call) => answerToken(call, { accounts, access, tokenLifetimeSeconds }),
    },
    "/search-items": {
      method: "POST",
      operation: "search",
      answer: async (call) => {
        const verdict = await access.authorize(call, "search");
        return verdict.kind === "refused"
          ? verdict.response
          : answerSearch(call, { supplier: verdict.supplier, stock, isSandbox });
      },
    },
    "/events": {
      method: "GET",
      operation: "events",
      answer: async (call) => {
        const verdict = await access.authorize(call, "events");
        return verdict.kind === "refused"
          ? verdict.response
          : answerEvents(call, verdict, { history, sealer, now, isSandbox });
      },
    },
    "/demo-data": {
      method: "GET",
      operation: "description",
      answer: async () => json(200, await options.list()),
    },
    "/openapi.json": {
      method: "GET",
      operation: "description",
      answer: () => Promise.resolve(json(200, openApiDocument())),
    },
  };
  // Without a prototype, so that every key is a route.
  return Object.assign(Object.create(null) as Record<string, Route>, routes);
}

function wrongMethod(call: ServiceCall, { method, operation }: Route): Response {
  const detail = `The method ${call.request.method} isn't allowed here. Use ${method}.`;
  const response =
    operation === "token"
      ? tokenError(405, "invalid_request", detail)
      : problem(call, { kind: "invalid-request", status: 405, detail });
  response.headers.set("allow", method);
  return response;
}

function traceId(random: () => number): string {
  const part = (): string =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
  return part() + part() + part() + part();
}
