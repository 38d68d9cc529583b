/** Who stands in line, and for what: a call stands behind its person's others, an edit before them. */
import { type AccountState, type Person, personOf, tidy, type WaitingCall } from "./account-state";

export function standInLine(state: AccountState, id: string, call: WaitingCall): void {
  state.line.set(id, call);
  for (const { person, isEdit } of call.askers) {
    stand(personOf(state, person).waiting, { id, isEdit });
    if (isEdit) state.editsInLine += 1;
    tidy(state, person);
  }
}

/** Others want it now. It keeps its place, since those who wait longest stand in front. */
export function askAnew(state: AccountState, id: string, call: WaitingCall): void {
  const names = new Set<string>();
  for (const { person, isEdit } of state.line.get(id)?.askers ?? []) {
    names.add(person);
    if (isEdit) state.editsInLine -= 1;
  }
  for (const { person, isEdit } of call.askers) {
    names.add(person);
    if (isEdit) state.editsInLine += 1;
  }
  state.line.set(id, call);
  for (const name of names) standAnew(state, name);
}

function standAnew(state: AccountState, name: string): void {
  const { waiting } = personOf(state, name);
  waiting.splice(0, waiting.length);
  for (const [id, { askers }] of state.line) {
    for (const { person, isEdit } of askers) if (person === name) stand(waiting, { id, isEdit });
  }
  tidy(state, name);
}

function stand(waiting: Person["waiting"], call: Person["waiting"][number]): void {
  if (call.isEdit) waiting.unshift(call);
  else waiting.push(call);
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
