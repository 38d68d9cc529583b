/** The embedded service with a clock that the test controls, for servers to mount. */
import { createFaults } from "../../src/embedded-service/fault-switches";
import { createSampleService } from "../../src/embedded-service/sample-stock/sample-service";
import { type SampleWorld, sampleWorlds } from "../../src/embedded-service/sample-stock/worlds";
import { environmentOfWorld, type Embedded } from "../../src/server/embedded";

export function embeddedAt(
  now: () => number,
  worlds: readonly SampleWorld[] = sampleWorlds,
): Pick<Embedded, "worlds" | "faults"> {
  const faults = createFaults();
  return {
    faults,
    worlds: worlds.map((world) => {
      const sleep = () => Promise.resolve();
      const service = createSampleService({ now, random: () => 0.5, sleep, faults, world });
      return { environment: environmentOfWorld(world), service };
    }),
  };
}
