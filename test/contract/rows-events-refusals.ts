/** What `GET /events` refuses beyond `conditions`. "Today" is 20 November 2026, UTC. */
import { type Answer, createCaller, fixedGtin } from "./caller";
import { type Row, rowsOf } from "./rows";
import { expectInvalid } from "./shapes";

const good = `store_nbr=1234&gtin=${fixedGtin}`;

function ask(query: string): Promise<Answer> {
  return createCaller().events(query);
}

function refused(query: string, property: string): () => Promise<void> {
  return async () => {
    const answer = await ask(query);
    expectInvalid(answer, "query", [{ code: "invalid-property-value", reason: "value", property }]);
    expect(answer.body.instance.startsWith("/events?store_nbr=")).toBe(true);
  };
}

export const eventsRefusalRows: Row[] = [
  ...rowsOf("400 Bad request (history)", [
    [
      "page_token of another query, of another consumer, or changed in any place",
      async () => {
        const caller = createCaller();
        const token = String((await caller.events(good)).body.next_page_token);
        const tampered = Array.from(
          token,
          (char, place) => `${token.slice(0, place)}${char === "A" ? "B" : "A"}${token.slice(place + 1)}`,
        );
        const strange = [
          `${good}&event_type=SALES&page_token=${token}`,
          `${good}&start_date=2026-11-14&page_token=${token}`,
          `store_nbr=100&gtin=${fixedGtin}&page_token=${token}`,
          ...tampered.map((text) => `${good}&page_token=${text}`),
        ];
        const headers = await caller.headers();
        for (const query of strange) {
          const answer = await caller.events(query, headers);
          expectInvalid(answer, "query", [
            {
              code: "invalid-property-value",
              reason: "value",
              property: `/page_token/${query.split("page_token=")[1]!}`,
            },
          ]);
        }
        const rival = await caller.events(`${good}&page_token=${token}`, await caller.headers("rival"));
        expect(rival.status).toBe(400);
      },
    ],
    [
      "a parameter given twice",
      refused(`store_nbr=1234&store_nbr=1234&gtin=${fixedGtin}`, "/store_nbr/1234,1234"),
    ],
    [
      "several offenders in one request are all named",
      async () => {
        const answer = await ask(
          "store_nbr=abc&event_type=5&start_date=x&end_date=2030-01-01&location_area=s&page_token=t",
        );
        expectInvalid(answer, "query", [
          { code: "invalid-property-value", reason: "value", property: "/store_nbr/abc" },
          { code: "missing-required-property", reason: "missing", property: "/gtin/" },
          { code: "invalid-property-value", reason: "value", property: "/event_type/5" },
          { code: "invalid-property-value", reason: "value", property: "/start_date/x" },
          { code: "invalid-property-value", reason: "value", property: "/end_date/2030-01-01" },
          { code: "invalid-property-value", reason: "value", property: "/location_area/s" },
          { code: "invalid-property-value", reason: "value", property: "/page_token/t" },
        ]);
      },
    ],
  ]),
];
