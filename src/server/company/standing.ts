/** Who stands in line, and for what: a call stands behind its person's others, an edit before them. */
import { type AccountState, personOf, tidy, type WaitingCall } from "./account-state";

export function standInLine(state: AccountState, id: string, call: WaitingCall): void {
  state.line.set(id, call);
  for (const { person, isEdit } of call.askers) {
    const { waiting } = personOf(state, person);
    if (isEdit) waiting.unshift({ id, isEdit });
    else waiting.push({ id, isEdit });
    if (isEdit) state.editsInLine += 1;
    tidy(state, person);
  }
}

export function standAside(state: AccountState, id: string): void {
  for (const { person, isEdit } of state.line.get(id)?.askers ?? []) {
    const { waiting } = personOf(state, person);
    waiting.splice(
      waiting.findIndex((each) => each.id === id),
      1,
    );
    if (isEdit) state.editsInLine -= 1;
    tidy(state, person);
  }
  state.line.delete(id);
}
