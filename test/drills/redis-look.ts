/**
 * Content of a Redis, by kind of key, and its problemList since the last look: the numbers behind docs/security.md and
 * docs/several-servers.md. It only reads, and connects without the pipes.
 */
import { createClient } from "@redis/client";

export interface RedisWork {
  readonly commands: number;
  /** Number of script calls. Each is one round trip. */
  readonly scripts: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly processorMs: number;
}

export async function lookAtRedis(
  url: string,
): Promise<{ readonly contents: readonly string[]; readonly work: RedisWork }> {
  const client = createClient({ url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const kinds = new Map<string, { bytes: number; ttls: number[] }>();
    for await (const keys of client.scanIterator({ COUNT: 1_000 })) {
      for (const key of keys) {
        const kind = kinds.get(kindOf(key)) ?? { bytes: 0, ttls: [] };
        kinds.set(kindOf(key), kind);
        kind.bytes += (await client.memoryUsage(key, { SAMPLES: 0 })) ?? 0;
        kind.ttls.push(await client.ttl(key));
      }
    }
    const contents = [...kinds].sort().map(([kind, { bytes, ttls }]) => {
      const count = ttls.length;
      const forSeconds = `${Math.min(...ttls)} to ${Math.max(...ttls)} s`;
      return `${kind}: ${count}, ${bytes} bytes, ${Math.round(bytes / count)} each, for ${forSeconds}`;
    });
    return { contents, work: workOf(await client.info("everything")) };
  } finally {
    client.destroy();
  }
}

export function workBetween(before: RedisWork, after: RedisWork, calls: number): string {
  const each = (name: keyof RedisWork) => (after[name] - before[name]) / calls;
  return (
    `${each("scripts").toFixed(2)} scripts (${each("commands").toFixed(1)} commands in all), ` +
    `${each("readBytes").toFixed(0)} bytes in, ${each("writtenBytes").toFixed(0)} out, ` +
    `${each("processorMs").toFixed(3)} ms of Redis's processor`
  );
}

/** Replaces names and digests with "…", so that keys of one kind are equal. */
function kindOf(key: string): string {
  return key.replace(/[\w-]{10,}(\.\d+)?/g, "…");
}

function workOf(info: string): RedisWork {
  const figure = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1] ?? 0);
  const callsOf = (command: string) =>
    Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(info)?.[1] ?? 0);
  return {
    commands: figure("total_commands_processed"),
    scripts: callsOf("evalsha") + callsOf("eval"),
    readBytes: figure("total_net_input_bytes"),
    writtenBytes: figure("total_net_output_bytes"),
    processorMs: (figure("used_cpu_user") + figure("used_cpu_sys")) * 1_000,
  };
}
