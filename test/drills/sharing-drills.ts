/**
 * How long people's edits and templates wait beside three pages that refresh 100,000 cells, at a quota of 600: several companies of
 * different size at once, each with a quota of its own, at one server and at two with Redis.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { middle } from "../bench/figures";
import type { Bed, Drill } from "./bed";
import type { SharingReport, Team } from "./sharing-pages";

const limit = 600;
const seconds = 180;

const everyMinute = { editEveryMs: 60_000, templateEveryMs: null, pretenders: 0 };
/** Three typists edit every ten seconds, so that there are enough edits to measure. */
const three = { refreshers: 3, editors: 3, editEveryMs: 10_000, templateEveryMs: null, pretenders: 0 };

interface Expected {
  readonly name: string;
  readonly team: Team;
  /** The longest waits in seconds. */
  readonly edits95?: number;
  readonly editsLongest?: number;
  readonly templatesMiddle?: number;
}

const companies: readonly Expected[] = [
  { name: "3 pages", team: three, edits95: 2 },
  { name: "40 pages", team: { ...everyMinute, refreshers: 3, editors: 40 }, edits95: 2 },
  { name: "200 pages", team: { ...everyMinute, refreshers: 3, editors: 200 }, edits95: 2 },
  { name: "400 pages", team: { ...everyMinute, refreshers: 3, editors: 400 }, editsLongest: 10 },
  { name: "3 pages and templates", team: { ...three, templateEveryMs: 20_000 }, templatesMiddle: 30 },
  { name: "3 pages and one that marks all as edits", team: { ...three, pretenders: 1 }, edits95: 2 },
];

export const sharingDrills: readonly Drill[] = [1, 2].map((servers) => ({
  name: `sharing-${servers}`,
  title: `edits beside three refreshes, ${servers === 1 ? "one server" : "two servers and Redis"}`,
  options: { limit, servers, redis: servers === 1 ? null : {}, isStubQuick: true },
  load: null,
  run: judge,
}));

async function judge(bed: Bed): Promise<void> {
  if (bed.cluster.redis !== null) await bed.cluster.opened();
  const teams = await Promise.all(companies.map(({ name, team }) => bed.cluster.openTeam(name, team)));
  await sleep(seconds * 1_000);
  const reports = await Promise.all(teams.map((team) => team.report()));
  for (const [index, { name, ...most }] of companies.entries()) {
    const report = reports[index];
    if (report === undefined) continue;
    const { editsMs, templatesMs, failed } = report;
    bed.fact(`${name}: ${wordsOf(report)}`);
    const edits95 = part(editsMs, 0.95) / 1_000;
    const editsLongest = part(editsMs, 1) / 1_000;
    bed.check(edits95 <= (most.edits95 ?? Infinity), `${name}: edits waited ${edits95.toFixed(1)} s at 95 %`);
    bed.check(
      editsLongest <= (most.editsLongest ?? Infinity),
      `${name}: an edit waited ${editsLongest.toFixed(1)} s`,
    );
    const templates = middle(templatesMs) / 1_000;
    bed.check(
      most.templatesMiddle === undefined || templates <= most.templatesMiddle,
      `${name}: templates took ${templates.toFixed(1)} s`,
    );
    bed.check(failed === 0, `${name}: ${failed} edits or templates without all values`);
  }
}

function wordsOf({ editsMs, templatesMs, rejected, processorShare }: SharingReport): string {
  const at = (each: number) => (part(editsMs, each) / 1_000).toFixed(2);
  const templates =
    templatesMs.length === 0
      ? ""
      : `, ${templatesMs.length} templates in ${(middle(templatesMs) / 1_000).toFixed(1)} s`;
  return (
    `${editsMs.length} edits waited ${at(0.5)} s in the middle, ${at(0.95)} s at 95 %, ${at(1)} s at most${templates}; ` +
    `${rejected} times 429; processor ${Math.round(processorShare * 100)} %`
  );
}

/** The value below which this part of the values is; 1 for the largest. */
function part(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
