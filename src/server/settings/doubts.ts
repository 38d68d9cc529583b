/** Finds settings that work, and that an administrator has probably not meant. The start and `--check` warn of them. */
import { getHeapStatistics } from "node:v8";
import { descriptorLimit, descriptorsFor } from "../edge/descriptors";
import { isLoopback } from "../edge/hosts";
import type { Settings } from "./schema";

const bytesOfMegabyte = 1_048_576;
/** What a server needs besides its cache (docs/install.md). */
const ownMegabytes = 200;
/** Longest prefixes of ranges that are surely more than a few proxies. */
const [wideIpv4Bits, wideIpv6Bits] = [15, 47];

type Doubtful = Pick<
  Settings,
  "trustProxy" | "frames" | "environments" | "host" | "cacheMegabytes" | "maxConnections"
> & { readonly redis: object | null };

export function doubts(config: Doubtful): readonly string[] {
  const { trustProxy, frames, environments, host, redis, cacheMegabytes, maxConnections } = config;
  const heapMegabytes = Math.round(getHeapStatistics().heap_size_limit / bytesOfMegabyte);
  const descriptors = descriptorLimit();
  return [
    ...trustProxy.flatMap((range, index) =>
      isWide(range)
        ? [
            `trustProxy[${index}] trusts every machine in ${range}: each can pretend to be another address. Name only your proxies.`,
          ]
        : [],
    ),
    ...frames.flatMap((origin, index) => {
      const ending = /^https:\/\/\*(\.[^.]+?)(:\d+)?$/.exec(origin)?.[1];
      return ending === undefined
        ? []
        : [`frames[${index}] allows every site whose name ends with "${ending}". Name your own sites.`];
    }),
    ...(environments.length === 0 && !isLoopback(host)
      ? ["environments is empty: people see sample stock instead of your company's."]
      : []),
    ...(redis === null && cacheMegabytes + ownMegabytes > heapMegabytes
      ? [
          `cacheMegabytes is ${cacheMegabytes}, and Node may use ${heapMegabytes} MB in all. Lower it, or set the variable NODE_OPTIONS to --max-old-space-size=${cacheMegabytes + ownMegabytes}.`,
        ]
      : []),
    ...(descriptorsFor(maxConnections) > descriptors
      ? [
          `maxConnections is ${maxConnections}, and this account may open only ${descriptors} files and connections. INV accepts fewer. Raise the limit (LimitNOFILE) to at least ${descriptorsFor(maxConnections)}.`,
        ]
      : []),
  ];
}

function isWide(range: string): boolean {
  const bits = /\/(\d+)$/.exec(range)?.[1];
  return bits !== undefined && Number(bits) <= (range.includes(":") ? wideIpv6Bits : wideIpv4Bits);
}
