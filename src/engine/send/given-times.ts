/**
 * The times that the team's server gave to calls it sent back. A place is kept there for each until a moment after
 * its time, for whichever call of this page comes: so a call goes at each of these times, the earliest first, and
 * nothing else meanwhile. Edits wait for none but their own.
 */

export interface GivenTimes {
  add(isEdit: boolean, atMs: number): void;
  /** From when a call may go; 0 where it need not wait. */
  earliestMs(isEdit: boolean): number;
  /** A call goes: the time that it waited for is used. */
  use(isEdit: boolean): void;
}

interface Given {
  readonly isEdit: boolean;
  readonly atMs: number;
}

export function createGivenTimes(): GivenTimes {
  /** Earliest first. */
  let given: readonly Given[] = [];

  function earliest(isEdit: boolean): Given | undefined {
    return isEdit ? given.find((each) => each.isEdit) : given[0];
  }

  return {
    add: (isEdit, atMs) =>
      void (given = [...given, { isEdit, atMs }].sort((left, right) => left.atMs - right.atMs)),
    earliestMs: (isEdit) => earliest(isEdit)?.atMs ?? 0,
    use(isEdit) {
      const used = earliest(isEdit);
      given = given.filter((each) => each !== used);
    },
  };
}
