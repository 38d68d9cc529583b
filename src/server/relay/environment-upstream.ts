/**
 * The connections to one environment, which no other shares, be it at the same host: as many for data calls as the
 * company's lines let go at once, so that no call waits here, and some for token requests alone.
 */
import { connectionCounts } from "../shared-quota/connections";
import { createUpstream, type Upstream, type UpstreamOptions } from "./upstream";

export interface UpstreamEnvironment {
  readonly tokenUrl: string;
  readonly quota: { readonly search: number; readonly events: number };
}

const connectionsForTokens = 16;

export function createEnvironmentUpstream(
  { tokenUrl, quota }: UpstreamEnvironment,
  options: Omit<UpstreamOptions, "connections">,
): Upstream {
  const counts = [connectionCounts(quota.search), connectionCounts(quota.events)];
  const connections = counts.reduce((sum, { others, edits }) => sum + others + edits, 0);
  const data = createUpstream({ ...options, connections });
  const tokens = createUpstream({ ...options, connections: connectionsForTokens });
  const { href } = new URL(tokenUrl);
  return {
    send: (call) => (call.url.href === href ? tokens : data).send(call),
    async close() {
      await Promise.all([data.close(), tokens.close()]);
    },
  };
}
