/**
 * Three honest pages beside a greedy colleague, through the relay's own tokens and headers, for three minutes from the
 * moment in which all of them open their workbooks. The honest pages ask for a little less than their share.
 */
import { createCompanyRelay } from "../../helpers/company-relay";
import { type Greed, greeds, openGreedyPage, openHonestPage } from "../../helpers/greedy-pages";
import { useLightMessages } from "../../helpers/light-messages";
import { createScriptedService } from "../../helpers/scripted-service";
import { createVirtualClock } from "../../helpers/virtual-clock";

useLightMessages();

const minutes = 3;

/** Returns the values of each honest page, and checks that the service refused no call. */
async function valuesBeside(greed: Greed | null, limit: number): Promise<readonly number[]> {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock, quota: limit });
  const bed = {
    clock,
    transport: createCompanyRelay({ clock, service: service.transport, limit }),
    base: service.connection.environment.searchUrl.replace(/\/[^/]*$/, ""),
    account: { id: "acme", secret: "s3cret" },
  };
  const pages = [1, 2, 3].map((number) => openHonestPage(bed, { number, pauseMs: 300_000 / limit }));
  const greedy = greed === null ? null : openGreedyPage(bed, greed);
  await clock.advance(minutes * 60_000);
  for (const page of [...pages, greedy]) page?.stop();
  expect(service.refusals).toBe(0);
  return pages.map(({ values }) => values);
}

/** The least values of an honest page beside two others, by quota. */
const alone = new Map<number, Promise<number>>();

function leastAlone(limit: number): Promise<number> {
  const least = alone.get(limit) ?? valuesBeside(null, limit).then((values) => Math.min(...values));
  alone.set(limit, least);
  return least;
}

/** Takes the longest. The property of fair shares has such pages too. */
const onlyInDrill: Greed = "no respect for retry times";

it.each([
  ...greeds.filter((greed) => greed !== onlyInDrill).map((greed) => [60, greed, 0.75] as const),
  // The drill `greedy` runs the others.
  [600, "twenty calls at once", 0.85] as const,
])(
  "at a quota of %i beside a page with %s, an honest page gets most of its values",
  async (limit, greed, least) => {
    const beside = await valuesBeside(greed, limit);
    expect(Math.min(...beside) / (await leastAlone(limit))).toBeGreaterThanOrEqual(least);
  },
);
