/** Who counts as one person in the turns of a company. */
import type { Company } from "../../../src/server/shared-quota/company";
import { createDataOperations } from "../../../src/server/relay/data-operations";
import { sendTo } from "../../../src/server/relay/outgoing";
import { createPageTokens } from "../../../src/server/relay/page-tokens";
import { createPeople } from "../../../src/server/relay/people";
import type { PageRequest } from "../../../src/server/relay/page-request";
import { createTokenOperation } from "../../../src/server/relay/token-operation";
import { createTokenRefusals } from "../../../src/server/relay/token-refusals";
import { createVirtualClock } from "../../helpers/virtual-clock";

function createBed() {
  const clock = createVirtualClock();
  const tokens = createPageTokens({ clock });
  const people: string[] = [];
  const answer = { status: 200, headers: {}, body: Buffer.from("{}") };
  const operation: Company["search"] = ({ asker }) => {
    people.push(asker.person);
    return Promise.resolve(answer);
  };
  const parts = { tokens, people: createPeople(clock), maxAnswerBytes: 1_000 };
  const exchange = createTokenOperation({ ...parts, refusals: createTokenRefusals(clock) });
  const data = createDataOperations({ ...parts, company: { search: operation, events: operation } });
  const send = sendTo(() => Promise.resolve(Response.json({ access_token: "t0ken-of-the-service" })));
  const url = new URL("https://s.example/");
  const tokenAsked = (): void => undefined;

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
        tokenAsked,
      },
      address: () => address,
      header: (name) => headers[name],
      query: "",
      body: Buffer.from(body),
      signal: new AbortController().signal,
    };
  }

  return {
    clock,
    async comeIn(
      before: string | null = null,
      { client = "acme", ...from }: { client?: string; address?: string; id?: string } = {},
    ) {
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const body = `grant_type=client_credentials&client_id=${client}&client_secret=s`;
      const headers = before === null ? type : { ...type, "inv-renews": before };
      const given = await exchange(request(headers, { body, ...from }));
      return (JSON.parse(given.body.toString()) as { access_token: string }).access_token;
    },
    async personOf(token: string, id = "live") {
      await data.events(request({ authorization: `Bearer ${token}` }, { id }));
      return people.pop();
    },
  };
}

describe("a person", () => {
  it("is whoever holds a token, and stays the same with every one that follows it", async () => {
    const bed = createBed();
    const [first, other] = [await bed.comeIn(), await bed.comeIn()];
    const person = await bed.personOf(first);
    expect(person).not.toBe(await bed.personOf(other));
    let token = first;
    for (let renewal = 0; renewal < 5; renewal += 1) {
      await bed.clock.advance(840_000);
      token = await bed.comeIn(token);
      expect(await bed.personOf(token)).toBe(person);
    }
  });

  it("stays the same also with a token that has just ended, from another address", async () => {
    const bed = createBed();
    const first = await bed.comeIn();
    const person = await bed.personOf(first);
    await bed.clock.advance(930_000);
    expect(await bed.personOf(await bed.comeIn(first, { address: "10.0.0.2" }))).toBe(person);
  });

  it("is nobody else's to be: not with another consumer's token, another environment's, or a made-up one", async () => {
    const bed = createBed();
    const first = await bed.comeIn();
    const person = await bed.personOf(first);
    const others = [
      await bed.personOf(await bed.comeIn(first, { client: "bolt" })),
      await bed.personOf(await bed.comeIn(first, { id: "trial" }), "trial"),
      await bed.personOf(await bed.comeIn("made up")),
    ];
    expect(new Set([person, ...others]).size).toBe(4);
  });

  it("is one of at most a hundred at one address and consumer; those beyond share one name", async () => {
    const bed = createBed();
    const people = async (count: number, from: { address?: string; client?: string } = {}) => {
      const names = new Set<string | undefined>();
      for (let person = 0; person < count; person += 1) {
        names.add(await bed.personOf(await bed.comeIn(null, from)));
      }
      return names;
    };
    const crowd = await people(1_000);
    expect(crowd.size).toBe(101);
    // Others, elsewhere or of another company, are not counted with them.
    for (const from of [{ address: "10.0.0.2" }, { client: "bolt" }]) {
      const few = await people(50, from);
      expect([few.size, [...few].filter((name) => crowd.has(name)).length]).toEqual([50, 0]);
    }
    // Nor are those who have left.
    await bed.clock.advance(900_000);
    expect((await people(100)).size).toBe(100);
  });

  it("cannot bring a crowd along from another address", async () => {
    const bed = createBed();
    const names = new Set<string | undefined>();
    for (let address = 0; address < 5; address += 1) {
      for (let person = 0; person < 100; person += 1) {
        const token = await bed.comeIn(null, { address: `10.0.1.${address}` });
        names.add(await bed.personOf(await bed.comeIn(token)));
      }
    }
    expect(names.size).toBe(101);
  });
});
