/**
 * What `GET /events` answers: its records, parameters, defaults and pages. "Today" is 20 November 2026, UTC, so the window is 14 to 20
 * November.
 */
import type { EventBody } from "./bodies";
import { type Answer, type Caller, createCaller, fixedGtin } from "./caller";
import { expectHistory } from "./shapes";

const good = `store_nbr=1234&gtin=${fixedGtin}`;

function ask(query: string): Promise<Answer> {
  return createCaller().events(query);
}

/** All pages of a query. */
async function all(query: string, caller: Caller = createCaller()): Promise<EventBody[]> {
  const events: EventBody[] = [];
  let token: string | null = "";
  while (token !== null) {
    const answer: Answer = await caller.events(query + (token === "" ? "" : `&page_token=${token}`));
    expectHistory(answer);
    events.push(...answer.body.event_history_item_details);
    token = answer.body.next_page_token;
  }
  return events;
}

function days(events: readonly EventBody[]): string[] {
  return [...new Set(events.map((event) => event.event_creation_time.slice(0, 10)))];
}

export function eventsCases(): void {
  describe("Transaction history response", () => {
    it("supplier_name, store_nbr, gtin, event_history_item_details", async () => {
      const answer = await ask(good);
      expectHistory(answer);
      expect(answer.body).toMatchObject({
        supplier_name: "Demo Foods Inc.",
        store_nbr: 1234,
        gtin: fixedGtin,
      });
    });
    it("next_page_token: returns the next events, without repetition or loss; null on the last page", async () => {
      const caller = createCaller();
      const first = await caller.events(good);
      expect(first.body.next_page_token).not.toBeNull();
      const whole = await all(good, caller);
      expect(whole.length).toBeGreaterThan(first.body.event_history_item_details.length);
      const times = whole.map((event) => event.event_creation_time);
      expect(times).toEqual([...times].sort());
      const byType = await all(`${good}&event_type=SALES`, caller);
      expect(byType).toEqual(whole.filter((event) => event.event_type === "SALES"));
    });
  });
  describe("Event record", () => {
    it("in sequence; after a sale aggregated_qty is the previous one minus event_qty", async () => {
      const events = await all(good);
      let sales = 0;
      events.forEach((event, index) => {
        const before = events[index - 1];
        if (before === undefined || event.event_type !== "SALES") return;
        sales += 1;
        expect(Number(event.aggregated_qty)).toBe(Number(before.aggregated_qty) - Number(event.event_qty));
      });
      expect(sales).toBeGreaterThan(50);
    });
  });
  describe("Query parameters", () => {
    it("with only store_nbr and gtin: all types of the last 7 days in STORE", async () => {
      const events = await all(good);
      expect(new Set(events.map((event) => event.event_type)).size).toBeGreaterThan(5);
      expect(days(events)).toEqual([14, 15, 16, 17, 18, 19, 20].map((day) => `2026-11-${day}`));
      expect(await all(`${good}&location_area=STORE`)).toEqual(events);
    });
    it.each([
      ["start_date", "2026-11-19", ["2026-11-19", "2026-11-20"]],
      ["end_date", "2026-11-15", ["2026-11-14", "2026-11-15"]],
    ])("%s: that day included", async (name, day, expected) => {
      expect(days(await all(`${good}&${name}=${day}`))).toEqual(expected);
    });
    it("location_area: BACKROOM has its own events", async () => {
      const events = await all(`${good}&location_area=BACKROOM`);
      expect(events.length).toBeGreaterThan(3);
      expect(new Set(events.map((event) => event.event_type))).toEqual(new Set(["BR", "LR"]));
    });
    it("filters combine", async () => {
      const query = `${good}&event_type=BR&start_date=2026-11-16&end_date=2026-11-18&location_area=BACKROOM`;
      const whole = await all(`${good}&location_area=BACKROOM`);
      expect(await all(query)).toEqual(
        whole.filter(
          ({ event_type: type, event_creation_time: time }) =>
            type === "BR" && time >= "2026-11-16" && time < "2026-11-19",
        ),
      );
    });
    it("page_token: keeps its range if midnight is between two pages", async () => {
      const caller = createCaller();
      caller.time.nowMs = Date.parse("2026-11-20T23:59:00Z");
      const first = await caller.events(good);
      caller.time.nowMs += 120_000;
      const next = await caller.events(`${good}&page_token=${String(first.body.next_page_token)}`);
      expectHistory(next);
      const [last] = first.body.event_history_item_details.slice(-1);
      const [follows] = next.body.event_history_item_details;
      expect(follows!.event_creation_time >= last!.event_creation_time).toBe(true);
    });
  });
}
