/**
 * The one list of conditions under which a server works, but not as it should. `/readyz` names those of this moment, `inv_degraded`
 * shows each, and an alert rule reads it. Who adds a condition also logs its beginning.
 */
const conditions = ["redis", "redis-silence", "sign-in", "secrets", "certificate"] as const;

type Condition = (typeof conditions)[number];

export interface Health {
  add(condition: Condition, isNow: () => boolean): void;
  /** Whether each condition is met now; false for those that nobody has added. */
  look(): ReadonlyMap<Condition, boolean>;
}

export function createHealth(): Health {
  const added = new Map<Condition, () => boolean>();
  return {
    add(condition, isNow) {
      added.set(condition, isNow);
    },
    look: () => new Map(conditions.map((condition) => [condition, added.get(condition)?.() ?? false])),
  };
}
