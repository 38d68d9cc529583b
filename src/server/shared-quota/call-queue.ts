/**
 * The queue of calls, and for each person the list of their calls in it. A call may have several askers; it is then in
 * the list of each. In a person's list edits come first.
 */
import { type AccountState, type Person, personOf, type QueuedCall, tidy } from "./account-state";

export function enqueue(state: AccountState, id: string, call: QueuedCall): void {
  state.queue.set(id, call);
  for (const { person, isEdit } of call.askers) {
    insert(personOf(state, person).queued, { id, isEdit });
    if (isEdit) state.queuedEdits += 1;
    tidy(state, person);
  }
}

/** Changes the askers of a queued call. It keeps its position, because the oldest calls must come first. */
export function changeAskers(state: AccountState, id: string, call: QueuedCall): void {
  const names = new Set<string>();
  for (const { person, isEdit } of state.queue.get(id)?.askers ?? []) {
    names.add(person);
    if (isEdit) state.queuedEdits -= 1;
  }
  for (const { person, isEdit } of call.askers) {
    names.add(person);
    if (isEdit) state.queuedEdits += 1;
  }
  state.queue.set(id, call);
  for (const name of names) listAgain(state, name);
}

export function dequeue(state: AccountState, id: string): void {
  for (const { person, isEdit } of state.queue.get(id)?.askers ?? []) {
    const { queued } = personOf(state, person);
    queued.splice(
      queued.findIndex((each) => each.id === id),
      1,
    );
    if (isEdit) state.queuedEdits -= 1;
    tidy(state, person);
  }
  state.queue.delete(id);
}

function listAgain(state: AccountState, name: string): void {
  const { queued } = personOf(state, name);
  queued.splice(0, queued.length);
  for (const [id, { askers }] of state.queue) {
    for (const { person, isEdit } of askers) if (person === name) insert(queued, { id, isEdit });
  }
  tidy(state, name);
}

function insert(queued: Person["queued"], call: Person["queued"][number]): void {
  if (call.isEdit) queued.unshift(call);
  else queued.push(call);
}
