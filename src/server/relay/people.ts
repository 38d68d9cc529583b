/**
 * Who is a person? Whoever holds a token of ours; who brings the one before along stays the same. Anybody with the
 * secret can come as somebody new as often as they like, so those of one address and consumer are counted: beyond so
 * many, all who come in share one name, and one share of the quota.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../shared-quota/clock";
import { newPerson } from "../digest";

export interface People {
  /** `before` is who they were, null for somebody new; the person is counted for so long. Never rejects. */
  admit(site: Site, before: string | null, lifetimeMs: number): Promise<AdmittedPerson>;
}

export type AdmittedPerson =
  | { readonly kind: "admitted"; readonly person: string }
  /** Who is counted cannot be asked now. */
  | { readonly kind: "away" };

/** Where people come from: an address, with what they ask for in whose name. */
export interface Site {
  readonly environment: string;
  readonly consumerId: string;
  readonly address: string;
}

/** More than a big office behind one address. */
export const mostAtOneSite = 100;
/** Sites are made by those who hold a right secret alone. */
export const mostSites = 10_000;

interface Crowd {
  /** When each is counted no longer. */
  readonly endsAtMs: Map<string, number>;
  /** The name of all others. */
  readonly others: string;
}

export function createPeople(clock: SteadyClock, most = mostAtOneSite): People {
  const sites = new LRUCache<string, Crowd>({ max: mostSites });

  function crowdAt({ environment, consumerId, address }: Site): Crowd {
    const key = [environment, address, consumerId].join("\n");
    const crowd = sites.get(key) ?? { endsAtMs: new Map<string, number>(), others: newPerson() };
    sites.set(key, crowd);
    const nowMs = clock.now();
    for (const [person, endsAtMs] of crowd.endsAtMs) if (endsAtMs <= nowMs) crowd.endsAtMs.delete(person);
    return crowd;
  }

  return {
    admit(site, before, lifetimeMs) {
      const { endsAtMs, others } = crowdAt(site);
      const person = before ?? newPerson();
      if (!endsAtMs.has(person) && endsAtMs.size >= most) {
        return Promise.resolve({ kind: "admitted", person: others });
      }
      endsAtMs.set(person, Math.max(endsAtMs.get(person) ?? 0, clock.now() + lifetimeMs));
      return Promise.resolve({ kind: "admitted", person });
    },
  };
}
