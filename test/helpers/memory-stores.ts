/** Tokens and sessions of a single server, in memory. */
import { createMemoryStore } from "../../src/server/keyed-store/in-memory";
import { createPageTokens, type PageTokens } from "../../src/server/relay/page-tokens";
import { createSessions, type Sessions } from "../../src/server/sign-in/sessions";

/** Binding for servers with a single configuration. */
export const bind = (environment: string): string => environment;

export function memoryStores(
  clock: { readonly now: () => number },
  lasts = { idleMs: 3_600_000, totalMs: 3_600_000 },
): { readonly tokens: PageTokens; readonly sessions: Sessions } {
  const store = createMemoryStore(clock);
  return { tokens: createPageTokens({ store, bind }), sessions: createSessions({ store, bind, ...lasts }) };
}
