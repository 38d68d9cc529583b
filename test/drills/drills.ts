/** All drills, in the order in which they start. */
import type { Bed, Drill } from "./bed";
import { redisDrills } from "./redis-drills";
import { lookAtRedis, workBetween } from "./redis-look";
import { serverDrills } from "./server-drills";
import { sharingDrills } from "./sharing-drills";

const callsOf = async ({ cluster }: Bed) => (await cluster.stub()).arrivedAtMs.length;
const answersOf = async ({ pages }: Bed) =>
  Object.values((await pages?.report())?.statuses ?? {}).reduce((sum, count) => sum + count, 0);

const plain: readonly Drill[] = [
  {
    name: "three",
    title: "three servers, nothing happens",
    async run(bed) {
      const { servers, redis } = bed.cluster;
      const url = redis?.url ?? "";
      const before = await lookAtRedis(url);
      const [answersBefore, callsBefore] = [await answersOf(bed), await callsOf(bed)];
      await bed.at(80);
      for (const [index, server] of servers.entries()) {
        bed.check((await server.calls()) > 0, `server ${index} sent nothing`);
      }
      const after = await lookAtRedis(url);
      const [answers, calls] = [(await answersOf(bed)) - answersBefore, (await callsOf(bed)) - callsBefore];
      bed.fact(`of an answer to a page (${answers}): ${workBetween(before.work, after.work, answers)}`);
      bed.fact(`of a call to the service (${calls}): ${workBetween(before.work, after.work, calls)}`);
      for (const kind of after.contents) bed.fact(`in Redis: ${kind}`);
    },
  },
];

export const drills: readonly Drill[] = [...plain, ...redisDrills, ...serverDrills, ...sharingDrills];
