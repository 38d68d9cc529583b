/**
 * Whether the figures still fit into the memory that Node may use. Node would end the process with a page of its own state; so whoever
 * reads asks after some rows, and can end with a sentence.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ConfigError } from "../settings/config-error";

/** The rest is for sorting the events and for serving. */
const mostShare = 0.8;
const bytesOfMegabyte = 1024 * 1024;
/** V8 counts its room for young values into its limit: three parts of 16 MB, or of 32 from Node 26 on. The figures live beside it. */
const youngBytes = 96 * bytesOfMegabyte;

/** @throws ConfigError if the memory is nearly used up */
export function checkRoom(): void {
  if (shareInUse() <= mostShare) return;
  // Some of it may be garbage that Node hasn't collected yet.
  collectGarbage();
  if (shareInUse() <= mostShare) return;
  const megabytes = Math.round(getHeapStatistics().heap_size_limit / bytesOfMegabyte);
  throw new ConfigError(
    `The figures need more memory than the ${megabytes} MB that Node may use. ` +
      `Set the variable NODE_OPTIONS to --max-old-space-size=${megabytes * 2} and start again, or leave rows out.`,
  );
}

function shareInUse(): number {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics();
  return usedBytes / (limitBytes - youngBytes);
}

/** Node has a function for it only in contexts that are made after this flag is set. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}
