/** Several people, each with their own engine, behind one team's server: what each of them sees. */
import { createEngine } from "../../../src/engine/engine";
import type { Engine } from "../../../src/engine/types";
import type { ItemQuery } from "../../../src/domain/records";
import { createCompanyRelay } from "../../helpers/company-relay";
import { createScriptedService, type ScriptedService } from "../../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

interface Team {
  readonly clock: VirtualClock;
  readonly service: ScriptedService;
  person(): Engine;
}

function createTeam(limit = 600, turnMs = 0): Team {
  const clock = createVirtualClock({ turnMs });
  const service = createScriptedService({ clock, quota: limit });
  const transport = createCompanyRelay({ clock, service: service.transport, limit });
  const { environment, credentials } = service.connection;
  return {
    clock,
    service,
    person() {
      const engine = createEngine({ clock, transport });
      // In the demo environment the engine has no requests to save.
      engine.connect({
        environment: { ...environment, kind: "production", pacedBy: "server" },
        credentials,
      });
      return engine;
    },
  };
}

const item = (store: number, number: number): ItemQuery => ({
  storeNumber: 1_000 + store,
  itemType: "gtin",
  value: String(number).padStart(14, "0"),
});
const template = (stores: number, items: number): ItemQuery[] =>
  Array.from({ length: stores * items }, (_, cell) => item(Math.floor(cell / items), cell % items));
const open = (engine: Engine, queries: readonly ItemQuery[]) =>
  Promise.all(queries.map((query) => engine.item(query)));

describe("people behind one server", () => {
  it("who open one template within ten seconds cost the calls of one person", async () => {
    const team = createTeam();
    const cells = template(20, 25);
    const answers: Promise<unknown>[] = [];
    for (let person = 0; person < 10; person += 1) {
      answers.push(open(team.person(), cells));
      await team.clock.advance(1_000);
    }
    await team.clock.until(Promise.all(answers));
    expect(team.service.of("search")).toHaveLength(20);
    expect(team.service.refusals).toBe(0);
  });

  it("see freshness counted from when a value was fetched", async () => {
    const team = createTeam();
    const first = await team.clock.until(team.person().item(item(1, 1)));
    await team.clock.advance(10 * 60_000);
    const later = team.person();
    const second = await team.clock.until(later.item(item(1, 1)));
    expect(Math.abs(second.fetchedAtMs - first.fetchedAtMs)).toBeLessThan(200);
    expect(team.service.of("search")).toHaveLength(1);
    await team.clock.advance(6 * 60_000);
    expect(later.isFresh(item(1, 1))).toBe(false);
    await team.clock.until(later.item(item(1, 1)));
    expect(team.service.of("search")).toHaveLength(2);
  });

  it("share a refresh", async () => {
    const team = createTeam();
    const cells = template(10, 100);
    const people = [team.person(), team.person()];
    for (const engine of people) await team.clock.until(open(engine, cells));
    await team.clock.advance(5 * 60_000);
    const before = team.service.of("search").length;
    team.service.version = 1;
    for (const engine of people) {
      await team.clock.until(engine.refresh({ items: cells, histories: [] }));
      await team.clock.until(open(engine, cells));
    }
    expect(before).toBe(10);
    expect(team.service.of("search")).toHaveLength(before + 10);
  });

  it("who ask for exact values each cause their own request", async () => {
    const team = createTeam();
    const cells = template(5, 100);
    await team.clock.until(open(team.person(), cells));
    const exact = team.person();
    exact.configure({ refreshAgeMs: 0 });
    await team.clock.until(open(exact, cells));
    expect(team.service.of("search")).toHaveLength(5);
    await team.clock.until(exact.refresh({ items: cells, histories: [] }));
    await team.clock.until(open(exact, cells));
    expect(team.service.of("search")).toHaveLength(10);
  });

  it.each([
    ["take their own values of the last minute", 60_000, 3],
    ["get new values each time if they ask for exact values", 0, 12],
  ])("who refresh several times within a minute %s", async (_, refreshAgeMs, calls) => {
    const team = createTeam();
    const engine = team.person();
    engine.configure({ refreshAgeMs });
    const cells = template(3, 100);
    await team.clock.until(open(engine, cells));
    for (let version = 1; version <= 3; version += 1) {
      team.service.version = version;
      await team.clock.advance(5_000);
      await team.clock.until(engine.refresh({ items: cells, histories: [] }));
      await team.clock.until(open(engine, cells));
    }
    expect(team.service.of("search")).toHaveLength(calls);
  });

  it("who clear the cache don't get the cleared values back", async () => {
    const team = createTeam();
    const engine = team.person();
    await team.clock.until(engine.item(item(1, 1)));
    await team.clock.advance(5_000);
    engine.clear();
    await team.clock.until(engine.item(item(1, 1)));
    expect(team.service.of("search")).toHaveLength(2);
    // Nor a colleague's value from before, of an item that they hadn't asked for, although a refresh would still accept it.
    await team.clock.until(engine.refresh({ items: [], histories: [] }));
    await team.clock.until(team.person().item(item(1, 2)));
    await team.clock.advance(5_000);
    engine.clear();
    await team.clock.until(engine.item(item(1, 2)));
    expect(team.service.of("search")).toHaveLength(4);
  });

  it("wait when the company's quota is used up, lose no cell, and see the company's quota in the meter", async () => {
    const team = createTeam(100);
    const [busy, quiet] = [team.person(), team.person()];
    const sheet = open(busy, template(150, 1));
    await team.clock.advance(20_000);
    const other = open(
      quiet,
      template(3, 2).map((query) => ({ ...query, storeNumber: query.storeNumber + 500 })),
    );
    await team.clock.advance(1_000);
    expect(busy.progress().quota.search).toMatchObject({ limit: 100 });
    expect(busy.progress().quota.search.used).toBeGreaterThanOrEqual(90);
    // The quiet page makes at most three requests itself, but its progress shows the company's usage.
    expect(quiet.progress().quota.search.used).toBeGreaterThanOrEqual(90);
    expect(busy.progress().quota.search.resumesAtMs).toBeGreaterThan(team.clock.now());
    await team.clock.until(Promise.all([sheet, other]));
    expect(team.service.refusals).toBe(0);
  });

  it("get an edited cell at once while a colleague's sheet waits for the quota", async () => {
    const team = createTeam(100);
    const busy = team.person();
    const sheet = open(busy, template(300, 1));
    await team.clock.advance(20_000);
    const startedAtMs = team.clock.now();
    // Both calls are answered: the colleague's, and the one of the person whose sheet waits.
    await team.clock.until(team.person().item(item(900, 1)));
    await team.clock.until(busy.item(item(901, 1)));
    expect(team.clock.now() - startedAtMs).toBeLessThan(1_000);
    await team.clock.until(sheet);
  });

  describe("with a guard on spending", () => {
    it("are not asked about values that colleagues have just fetched", async () => {
      const team = createTeam();
      const cells = template(60, 2);
      await team.clock.until(open(team.person(), cells));
      const careful = team.person();
      careful.configure({ askAboveCalls: 10 });
      const sheet = open(careful, cells);
      // The spending guard would release the calls without an answer only after this time.
      await team.clock.advance(15_000);
      expect(careful.progress()).toMatchObject({ busy: false, cells: { waiting: 0 } });
      expect(careful.spendingQuestion()).toBeNull();
      await sheet;
      expect(team.service.of("search")).toHaveLength(60);
    });

    it("are asked about the other values", async () => {
      const team = createTeam();
      await team.clock.until(open(team.person(), template(30, 2)));
      const careful = team.person();
      careful.configure({ askAboveCalls: 10 });
      const sheet = open(careful, template(60, 2));
      await team.clock.advance(15_000);
      expect(careful.spendingQuestion()).toMatchObject({ calls: { search: 20 }, isAtMost: true });
      careful.approveSpending();
      await team.clock.until(sheet);
    });

    it.each([0, 3])(
      "pay for a call of which a part was known, with turns that take %i ms",
      async (turnMs) => {
        const team = createTeam(600, turnMs);
        await team.clock.until(open(team.person(), template(30, 2)));
        const careful = team.person();
        careful.configure({ askAboveCalls: 10 });
        const sheet = open(careful, template(30, 3));
        await team.clock.advance(15_000);
        expect(team.service.of("search").length).toBe(30 + 10);
        expect(careful.spendingQuestion()).toMatchObject({ calls: { search: 20 } });
        careful.approveSpending();
        await team.clock.until(sheet);
      },
    );

    it("do not spend calls that the server rejects", async () => {
      const team = createTeam(100);
      const busy = open(team.person(), template(250, 1));
      await team.clock.advance(10_000);
      const careful = team.person();
      careful.configure({ askAboveCalls: 32 });
      const questions: unknown[] = [];
      careful.subscribe(() => questions.push(careful.spendingQuestion()));
      await team.clock.until(
        open(
          careful,
          template(30, 1).map((query) => ({ ...query, storeNumber: query.storeNumber + 500 })),
        ),
      );
      expect(questions.filter((question) => question !== null)).toEqual([]);
      await team.clock.until(busy);
    });
  });

  it("who cancel while the server holds their calls send nothing more, and get colleagues' answers later", async () => {
    const team = createTeam(100);
    const busy = open(team.person(), template(150, 1));
    await team.clock.advance(58_500);
    const leaving = team.person();
    const own = template(30, 1).map((query) => ({ ...query, storeNumber: query.storeNumber + 700 }));
    const cells = Promise.allSettled(own.map((query) => leaving.item(query)));
    await team.clock.advance(300);
    leaving.cancel();
    const cancelledAtMs = team.clock.now();
    const ends = await team.clock.until(cells);
    const unanswered = own.filter((_, index) => ends[index]?.status === "rejected");
    expect(unanswered.length).toBeGreaterThan(10);
    await team.clock.until(busy);
    await team.clock.advance(120_000);
    const ofLeaving = () => team.service.of("search").filter(({ store }) => store >= 1_700);
    expect(ofLeaving().filter(({ sentAtMs }) => sentAtMs > cancelledAtMs)).toHaveLength(0);
    const sent = ofLeaving().length;
    await team.clock.until(open(leaving, template(3, 1)));
    expect(ofLeaving()).toHaveLength(sent);
    await team.clock.until(open(leaving, unanswered));
    expect(ofLeaving()).toHaveLength(sent + unanswered.length);
  });

  it("are distinguished, and each gets their own reason when a colleague's call fails", async () => {
    const team = createTeam();
    team.service.script((call) =>
      call.operation === "search" ? new Response("{}", { status: 503 }) : undefined,
    );
    const ends = await team.clock.until(
      Promise.allSettled(Array.from({ length: 5 }, () => team.person().item(item(1, 1)))),
    );
    expect(ends.every(({ status }) => status === "rejected")).toBe(true);
    team.service.script(() => undefined);
    await team.clock.advance(120_000);
    expect((await team.clock.until(team.person().item(item(1, 1)))).found).toBe(true);
  });
});
