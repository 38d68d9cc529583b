/** Events of the fake Excel: handlers are added and removed with the next sync, as all that is queued. */
import { push, type Queue } from "./fake-office-object";

type Handler = (event: never) => unknown;

interface FakeEvent {
  /** What stands in Office's objects. */
  on(queue: Queue): { add(handler: Handler): { context: string; remove(): void } };
  tell(event?: object): void;
  handlers(): number;
}

export function createFakeEvent(name: string): FakeEvent {
  const handlers = new Set<Handler>();
  return {
    on: (queue) => ({
      add(handler) {
        push(queue, `${name}.add`, () => void handlers.add(handler));
        return { context: "its context", remove: () => void handlers.delete(handler) };
      },
    }),
    tell(event) {
      for (const handler of [...handlers]) handler(event as never);
    },
    handlers: () => handlers.size,
  };
}

export interface FakeEdits {
  /** Tells of an edit; the cells themselves are changed by the test. */
  change(sheet: string, address: string, changeType?: `${Excel.DataChangeType}`): void;
  tellOfSheet(event: "onDeleted" | "onNameChanged"): void;
}

/** What Excel tells of sheets: the events as members of the collection, and the way to raise them. */
export function createFakeEdits(): FakeEdits & { members(queue: Queue): object } {
  const onChanged = createFakeEvent("onChanged");
  const bySheet = {
    onDeleted: createFakeEvent("onDeleted"),
    onNameChanged: createFakeEvent("onNameChanged"),
  };
  return {
    change(sheet, address, changeType = "RangeEdited") {
      onChanged.tell({ worksheetId: idOf(sheet), address, changeType });
    },
    tellOfSheet: (event) => bySheet[event].tell(),
    members: (queue) => ({
      onChanged: onChanged.on(queue),
      onDeleted: bySheet.onDeleted.on(queue),
      onNameChanged: bySheet.onNameChanged.on(queue),
    }),
  };
}

/** Excel's events know a sheet by its id. */
export function idOf(sheet: string): string {
  return `{id of ${sheet}}`;
}
