/** Refusals for the quota: what they slow down, and what they don't affect. */
import { askAll, item, sheet, warmBed, outcomes } from "./bed";

it("six calls that are refused together lower the pace once", async () => {
  const bed = await warmBed({ quota: 100 });
  bed.service.script(({ operation, number }) =>
    operation === "search" && number >= 60 && number < 66 ? new Response("", { status: 429 }) : undefined,
  );
  const startMs = bed.clock.now();
  expect(await outcomes(bed, sheet(300, 1))).toEqual({ value: 300 });
  const inSecondMinute = bed.service
    .of("search")
    .filter(({ sentAtMs }) => sentAtMs >= startMs + 60_000 && sentAtMs < startMs + 120_000);
  // Four fifths of what was sent before the refusal, plus what the rate has recovered since.
  expect(inSecondMinute.length).toBeGreaterThan(50);
});

it("a background call that the team's server turns away keeps no edit waiting", async () => {
  const bed = await warmBed({ environment: { pacedBy: "server" } });
  const headers = { "retry-after": "30", "inv-refusal": "quota" };
  bed.service.script(({ operation, store }) =>
    operation === "search" && store < 2_000 ? new Response("", { status: 429, headers }) : undefined,
  );
  askAll(bed, sheet(50, 1));
  await bed.clock.advance(5_000);
  const atMs = bed.clock.now();
  const edit = askAll(bed, [item(1_500, 1)]);
  await bed.clock.advance(200);
  expect(edit[0]?.atMs).toBe(atMs + 80);
});
