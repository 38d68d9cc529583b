/** All drills, in the order in which they begin. */
import type { Drill } from "./bed";
import { redisDrills } from "./redis-drills";
import { serverDrills } from "./server-drills";

const plain: readonly Drill[] = [
  {
    name: "three",
    title: "three servers, nothing happens",
    async run(bed) {
      await bed.at(80);
      for (const [index, server] of bed.cluster.servers.entries()) {
        bed.check((await server.calls()) > 0, `server ${index} sent nothing`);
      }
    },
  },
];

export const drills: readonly Drill[] = [...plain, ...redisDrills, ...serverDrills];
