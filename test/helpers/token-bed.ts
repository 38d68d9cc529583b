/** Requests tokens through the relay's token operation, and returns as whom the quota counts each token. */
import type { Company } from "../../src/server/shared-quota/company";
import { createDataOperations } from "../../src/server/relay/data-operations";
import { sendTo } from "../../src/server/relay/outgoing";
import type { PageRequest } from "../../src/server/relay/page-request";
import { createTokenOperation } from "../../src/server/relay/token-operation";
import { createTokenRefusals } from "../../src/server/relay/token-refusals";
import type { Asker } from "../../src/server/shared-quota/turns";
import type { VirtualClock } from "./virtual-clock";
import { memoryStores } from "./memory-stores";

export function createTokenBed(clock: VirtualClock) {
  const { tokens } = memoryStores(clock);
  const askers: Asker[] = [];
  const answer = { status: 200, headers: {}, body: Buffer.from("{}") };
  const operation: Company["search"] = ({ asker }) => {
    askers.push(asker);
    return Promise.resolve(answer);
  };
  const parts = { tokens, maxAnswerBytes: 1_000 };
  const exchange = createTokenOperation({ ...parts, refusals: createTokenRefusals(clock) });
  const data = createDataOperations({ ...parts, company: { search: operation, events: operation } });
  const send = sendTo(() => Promise.resolve(Response.json({ access_token: "t0ken-of-the-service" })));
  const url = new URL("https://s.example/");

  function request(
    headers: Record<string, string>,
    { body = "", address = "10.0.0.1", id = "live" } = {},
  ): PageRequest {
    return {
      target: {
        id,
        tokenUrl: url,
        searchUrl: url,
        eventsUrl: url,
        authorization: "bearer",
        send,
        tokenAsked: () => undefined,
      },
      address: () => address,
      header: (name) => headers[name],
      query: "",
      body: Buffer.from(body),
      signal: new AbortController().signal,
    };
  }

  async function askerOf(token: string, id = "live"): Promise<Asker | undefined> {
    await data.events(request({ authorization: `Bearer ${token}` }, { id }));
    return askers.pop();
  }

  return {
    async requestToken(
      renewed: string | null = null,
      { client = "acme", ...from }: { client?: string; address?: string; id?: string } = {},
    ) {
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const body = `grant_type=client_credentials&client_id=${client}&client_secret=s`;
      const headers = renewed === null ? type : { ...type, "inv-renews": renewed };
      const granted = await exchange(request(headers, { body, ...from }));
      return (JSON.parse(granted.body.toString()) as { access_token: string }).access_token;
    },
    personOf: async (token: string, id?: string) => (await askerOf(token, id))?.person,
  };
}
