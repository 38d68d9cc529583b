/**
 * Sign-ins under way, where the provider may send somebody back to another server than the one that began. What waits at the
 * provider lies sealed with the mark in the browser's cookie; what waits for the pane, with its challenge and the code
 * that the window shows. Redis has neither, so nothing in it lets anybody in. Both are bound to the environment's addresses.
 */
import { luaRoom, luaTimes } from "../redis/lua";
import type { Redis } from "../redis/redis";
import { createScript } from "../redis/script";
import { seal, unseal } from "../redis/sealed";
import type { Bind } from "../bound-environment";
import { digestOf, unguessable } from "../digest";
import { asTyped, atProviderMs, type Flow, type Flows, newCode, offeredMs, triesAtCode } from "./flows";
import { most, mostOfAnAddress } from "./pending";
import type { SignedIn } from "./sessions";

const putScript = createScript(`${luaTimes}${luaRoom}
local all, ofPlace, waiting = KEYS[1], KEYS[2], KEYS[3]
local key, lastsMs, most, mostOfPlace = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function drop(oldest)
  redis.call("ZREM", all, oldest)
  redis.call("DEL", waiting .. oldest)
end
redis.call("ZREM", all, key)
redis.call("ZREM", ofPlace, key)
makeRoom(ofPlace, mostOfPlace, drop)
makeRoom(all, most, drop)
local endsAtMs = nowMs() + lastsMs
redis.call("DEL", waiting .. key)
redis.call("HSET", waiting .. key, "place", ofPlace, "sealed", ARGV[5], "proof", ARGV[6], "tries", ARGV[7])
redis.call("PEXPIREAT", waiting .. key, endsAtMs)
for _, index in ipairs({all, ofPlace}) do
  redis.call("ZADD", index, endsAtMs, key)
  lastUntil(index, endsAtMs)
end
`);

/** Once; and a wrong proof costs a try. */
const takeScript = createScript(`
local all, waiting, key = KEYS[1], KEYS[2], ARGV[1]
local place, sealed, proof, tries = unpack(redis.call("HMGET", waiting .. key, "place", "sealed", "proof", "tries"))
if not sealed then return false end
local isRight = proof == ARGV[2]
if isRight or tonumber(tries) <= 1 then
  redis.call("DEL", waiting .. key)
  redis.call("ZREM", all, key)
  redis.call("ZREM", place, key)
else
  redis.call("HINCRBY", waiting .. key, "tries", -1)
end
return isRight and sealed
`);

export interface RedisFlowsOptions {
  readonly redis: Pick<Redis, "run">;
  readonly bind: Bind;
}

interface Waiting {
  readonly key: string;
  /** Says that it is the one who may take it. */
  readonly proof: string;
  readonly sealed: Buffer;
}

export function createRedisFlows({ redis, bind }: RedisFlowsOptions): Flows {
  async function put(
    kind: "flow" | "code",
    address: string,
    { key, proof, sealed }: Waiting,
  ): Promise<boolean> {
    const [lastsMs, tries] = kind === "flow" ? [atProviderMs, 1] : [offeredMs, triesAtCode];
    const outcome = await redis.run(putScript, {
      keys: [`${kind}s`, `${kind}s at ${digestOf(address)}`, `${kind} `],
      args: [key, lastsMs, most, mostOfAnAddress, sealed, proof, tries],
    });
    return outcome.kind === "ran";
  }

  /** What was sealed; null where it is not there, or not this one's. */
  async function take(kind: "flow" | "code", key: string, proof: string): Promise<Buffer | null | "away"> {
    const keys = [`${kind}s`, `${kind} `];
    const outcome = await redis.run(takeScript, { keys, args: [key, proof], isBinary: true });
    return outcome.kind === "away" ? "away" : (outcome.value as Buffer | null);
  }

  return {
    async begin(flow) {
      const [state, browser] = [unguessable(), unguessable()];
      const sealed = seal(browser, flowOf(state), JSON.stringify({ flow, bound: bind(flow.environment) }));
      const isPut = await put("flow", flow.address, {
        key: digestOf(state),
        proof: digestOf(browser),
        sealed,
      });
      return isPut ? { kind: "begun", state, browser } : { kind: "away" };
    },
    async back(state, browser) {
      const sealed = await take("flow", digestOf(state), digestOf(browser ?? ""));
      if (sealed === "away") return { kind: "away" };
      const text = sealed === null ? null : unseal(browser ?? "", flowOf(state), sealed);
      if (text === null) return { kind: "unknown" };
      const { flow, bound } = JSON.parse(text) as { readonly flow: Flow; readonly bound: string };
      return bound === bind(flow.environment) ? { kind: "back", flow } : { kind: "unknown" };
    },
    async offer({ environment, challenge, address }, signedIn) {
      const code = newCode();
      const secret = secretOf(bind(environment), challenge, code);
      const isPut = await put("code", address, {
        key: digestOf(`${bind(environment)} ${challenge}`),
        proof: digestOf(`proof ${secret}`),
        sealed: seal(secret, "sign-in", JSON.stringify(signedIn)),
      });
      return isPut ? { kind: "offered", code } : { kind: "away" };
    },
    async take(environment, code, verifier) {
      const challenge = digestOf(verifier);
      const secret = secretOf(bind(environment), challenge, asTyped(code));
      const sealed = await take(
        "code",
        digestOf(`${bind(environment)} ${challenge}`),
        digestOf(`proof ${secret}`),
      );
      if (sealed === "away") return { kind: "away" };
      const text = sealed === null ? null : unseal(secret, "sign-in", sealed);
      return text === null ? { kind: "unknown" } : { kind: "taken", signedIn: JSON.parse(text) as SignedIn };
    },
  };
}

function flowOf(state: string): string {
  return `flow ${state}`;
}

/** The challenge alone is 256 bits that Redis does not have. */
function secretOf(bound: string, challenge: string, code: string): string {
  return `${bound} ${challenge} ${code}`;
}
