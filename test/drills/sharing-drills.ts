/**
 * How long people's edits and templates wait beside three pages that refresh 100,000 cells, at a quota of 600: companies of
 * different size, at one server and at two with Redis.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { middle } from "../bench/figures";
import type { Bed, Drill } from "./bed";
import type { SharingReport, Team } from "./sharing-pages";

const limit = 600;
const seconds = 150;

/** Three typists edit every ten seconds, so that there are enough edits to measure. */
const three: Team = { refreshers: 3, editors: 3, editEveryMs: 10_000, templateEveryMs: null, pretenders: 0 };
const manyOf = (editors: number): Team => ({ ...three, editors, editEveryMs: 60_000 });

interface Company {
  readonly name: string;
  readonly title: string;
  readonly team: Team;
  /** The longest waits in seconds. */
  readonly edits95?: number;
  readonly editsLongest?: number;
  readonly templatesMiddle?: number;
}

const companies: readonly Company[] = [
  { name: "3", title: "3 pages edit", team: three, edits95: 2 },
  { name: "40", title: "40 pages edit", team: manyOf(40), edits95: 2 },
  { name: "200", title: "200 pages edit", team: manyOf(200), edits95: 2 },
  { name: "400", title: "400 pages edit", team: manyOf(400), editsLongest: 10 },
  {
    name: "templates",
    title: "3 pages edit, others open templates",
    team: { ...three, templateEveryMs: 20_000 },
    templatesMiddle: 30,
  },
  {
    name: "pretender",
    title: "3 pages edit, one marks all as edits",
    team: { ...three, pretenders: 1 },
    edits95: 2,
  },
];

export const sharingDrills: readonly Drill[] = companies.flatMap((company) =>
  [1, 2].map((servers) => ({
    name: `sharing-${company.name}${servers === 1 ? "" : "-redis"}`,
    title: `beside 3 refreshes ${company.title}, ${servers === 1 ? "one server" : "two servers and Redis"}`,
    options: { limit, servers, redis: servers === 1 ? null : {}, isStubQuick: true },
    load: null,
    run: (bed: Bed) => judge(bed, company),
  })),
);

async function judge(bed: Bed, { team, ...most }: Company): Promise<void> {
  if (bed.cluster.redis !== null) await bed.cluster.opened();
  const pages = await bed.cluster.openTeam(team);
  await sleep(seconds * 1_000);
  const report = await pages.report();
  const { editsMs, templatesMs, failed } = report;
  bed.fact(wordsOf(report));
  const edits95 = part(editsMs, 0.95) / 1_000;
  const editsLongest = part(editsMs, 1) / 1_000;
  const templates = middle(templatesMs) / 1_000;
  const { edits95: most95 = Infinity, editsLongest: longest = Infinity, templatesMiddle = null } = most;
  bed.check(edits95 <= most95, `edits waited ${edits95.toFixed(1)} s at 95 %`);
  bed.check(editsLongest <= longest, `an edit waited ${editsLongest.toFixed(1)} s`);
  bed.check(
    templatesMiddle === null || templates <= templatesMiddle,
    `templates took ${templates.toFixed(1)} s`,
  );
  bed.check(failed === 0, `${failed} edits or templates without all values`);
}

function wordsOf({ editsMs, templatesMs, rejected, processorShare }: SharingReport): string {
  const at = (each: number) => (part(editsMs, each) / 1_000).toFixed(2);
  const templates =
    templatesMs.length === 0
      ? ""
      : `, ${templatesMs.length} templates took ${(middle(templatesMs) / 1_000).toFixed(1)} s`;
  return (
    `${editsMs.length} edits waited ${at(0.5)} s in the middle, ${at(0.95)} s at 95 %, ${at(1)} s at most${templates}; ` +
    `${rejected} times 429; the pages had ${Math.round(processorShare * 100)} % of a processor when they wanted one`
  );
}

/** The value below which this part of the values is; 1 for the largest. */
function part(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
