/** A bad item never affects other items, and a wrong answer gives no cell another cell's value. */
import { type LoggedCall, offender, problem, record, type Scripted } from "../helpers/scripted-service";
import { createBed, item, noQuota, sheet, ask, warmBed, outcomes } from "./bed";

const bad = (numbers: readonly number[]) => new Set(numbers.map((number) => item(0, number).value));

/** A 400 that names the bad values in the call. */
function naming(values: ReadonlySet<string>): (call: LoggedCall) => Scripted {
  return (call) => {
    const named = call.values.flatMap((value, index) => (values.has(value) ? [offender(index, value)] : []));
    return named.length === 0 ? undefined : problem(400, "Invalid request parameters received", named);
  };
}

function unnamed(values: ReadonlySet<string>): (call: LoggedCall) => Scripted {
  return (call) =>
    call.values.some((value) => values.has(value))
      ? problem(400, "Invalid request parameters received")
      : undefined;
}

describe("values the service refuses", () => {
  it("fail without their neighbours if the service names them; the others are requested again in one call", async () => {
    const bed = createBed(noQuota);
    bed.service.script(naming(bad([5, 77])));
    expect(await outcomes(bed, sheet(1, 100))).toEqual({ value: 98, "refused-value": 2 });
    expect(bed.service.of("search")).toHaveLength(2);
  });

  it("are cached: within the freshness time they cost no further call", async () => {
    const bed = createBed(noQuota);
    bed.service.script(naming(bad([5])));
    await ask(bed, sheet(1, 100));
    const calls = bed.service.calls.length;
    expect(await outcomes(bed, sheet(1, 100))).toEqual({ value: 99, "refused-value": 1 });
    expect(bed.service.calls).toHaveLength(calls);
  });

  it.each([1, 2, 50, 51, 99, 100])(
    "are found by halving if the service does not name them: number %i of 100",
    async (number) => {
      const bed = createBed(noQuota);
      bed.service.script(unnamed(bad([number])));
      expect(await outcomes(bed, sheet(1, 100))).toEqual({ value: 99, "refused-request": 1 });
      expect(bed.service.of("search").length).toBeLessThanOrEqual(10);
    },
  );

  it("are found within 16 more calls if two are not named", async () => {
    const bed = createBed(noQuota);
    bed.service.script(unnamed(bad([1, 2])));
    expect(await outcomes(bed, sheet(1, 100))).toEqual({ value: 98, "refused-request": 2 });
    expect(bed.service.of("search").length).toBeLessThanOrEqual(17);
  });

  it("are not requested twice if they are alone in their call", async () => {
    const bed = createBed(noQuota);
    bed.service.script(unnamed(bad([1])));
    expect(await outcomes(bed, sheet(1, 1))).toEqual({ "refused-request": 1 });
    expect(bed.service.of("search")).toHaveLength(1);
  });

  it("all fail after 16 more calls if the service refuses everything without a reason", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.operation === "search" ? problem(400, "no") : undefined));
    expect(await outcomes(bed, sheet(1, 100))).toEqual({ "refused-request": 100 });
    expect(bed.service.of("search")).toHaveLength(17);
  });

  it("end as service-down if the service fails during the search for them", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => {
      if (call.operation !== "search") return undefined;
      return bed.service.of("search").length > 1 ? problem(503, "down") : problem(400, "no");
    });
    expect(await outcomes(bed, sheet(1, 100))).toEqual({ "service-down": 100 });
  });

  it("fail only their store if the service refuses another property", async () => {
    const bed = createBed(noQuota);
    const error = { ...offender(0, ""), property: "/store_nbr/1000", reason: "too long" };
    bed.service.script((call) => (call.store === 1_000 ? problem(400, "no", [error]) : undefined));
    expect(await outcomes(bed, sheet(2, 10))).toEqual({ value: 10, "refused-request": 10 });
    expect(bed.service.of("search")).toHaveLength(2);
  });
});

describe("the service's negative answer", () => {
  it("for a whole request applies to each item and is cached", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.store === 1_000 ? problem(404, "No data found") : undefined));
    expect(await outcomes(bed, sheet(2, 5))).toEqual({ value: 5, "no-data": 5 });
    await ask(bed, sheet(2, 5));
    expect(bed.service.of("search")).toHaveLength(2);
  });

  it("for one item affects only that item", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) =>
      call.operation === "token"
        ? undefined
        : Response.json({
            store_nbr: call.store,
            items: call.values.map((value, index) =>
              index === 0
                ? { gtin: value, data_retrieval_status: "ERROR", reason: "GTIN not mapped to the supplier" }
                : record(call, value),
            ),
          }),
    );
    expect(await outcomes(bed, sheet(1, 3))).toEqual({ value: 2, "not-mapped": 1 });
  });
});

it("a wrong answer is not cached: the next request gets the right one", async () => {
  const bed = await warmBed();
  bed.service.script(() => Response.json({ store_nbr: 1_000, items: [] }));
  await ask(bed, sheet(1, 10));
  bed.service.script(() => undefined);
  expect(await outcomes(bed, sheet(1, 10))).toEqual({ value: 10 });
});

describe("a refusal whose body breaks off", () => {
  const brokenOff = (status: number) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"type":"x","detail":"No da'));
      },
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    return new Response(body, { status });
  };

  it.each([400, 401, 403, 404])("is not an answer: a %i is requested again", async (status) => {
    const bed = await warmBed();
    bed.service.script((call) => (call.number === 1 ? brokenOff(status) : undefined));
    expect(await outcomes(bed, sheet(1, 3))).toEqual({ value: 3 });
    expect(bed.engine.progress().faults).toEqual([]);
    expect(bed.service.of("search")).toHaveLength(3);
  });

  it.each([400, 404])("is not cached: a %i with incomplete JSON", async (status) => {
    const bed = await warmBed();
    bed.service.script((call) =>
      call.number === 1 ? new Response('{"type":"x","detail":"No da', { status }) : undefined,
    );
    expect(await outcomes(bed, sheet(1, 3))).toEqual({ "bad-answer": 3 });
    expect(bed.engine.progress().faults).toEqual([]);
    expect(await outcomes(bed, sheet(1, 3))).toEqual({ value: 3 });
  });
});
