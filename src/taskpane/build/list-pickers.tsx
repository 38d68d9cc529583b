/**
 * Saved lists as rows of a template: one list for its stores, one for its items. Draws nothing if the workbook has no saved
 * lists.
 */
import { useEffect, useRef } from "preact/hooks";
import type { ListKind } from "../../workbook/lists/list-name";
import { readLists, type SavedList } from "../../workbook/lists/saved-lists";
import type { Workbook } from "../../workbook/port";
import type { GivenCells } from "../../workbook/templates/rows";
import { Select } from "../parts/fields";
import { useLoaded } from "../parts/use-source";

export interface PickedLists {
  /** The picked list of each kind; "" if none is picked. */
  readonly names: Readonly<Record<ListKind, string>>;
  readonly cells: readonly GivenCells[];
}

export const noLists: PickedLists = { names: { stores: "", items: "" }, cells: [] };

const labels = { stores: "Stores of a saved list", items: "GTINs of a saved list" } as const;
const kinds = ["stores", "items"] as const;

export function ListPickers(props: {
  readonly workbook: Workbook;
  readonly picked: PickedLists;
  readonly onPick: (picked: PickedLists) => void;
}) {
  const { workbook, picked, onPick } = props;
  // If the workbook's names can't be read, the form offers no list.
  const lists = useLoaded(() => readLists(workbook), [workbook]).value ?? [];

  /** The latest choice, while a list is still being read. */
  const wanted = useRef(picked.names);
  useEffect(() => void (wanted.current = picked.names), [picked]);

  /** Reads the lists again, because a list may have grown since it was offered. */
  async function pick(kind: ListKind, name: string): Promise<void> {
    const names = { ...wanted.current, [kind]: name };
    wanted.current = names;
    const now = await readLists(workbook).catch(() => lists);
    if (wanted.current !== names) return;
    const chosen = now.filter((list) => list.name === names.stores || list.name === names.items);
    onPick({ names, cells: chosen.map(cellsOf) });
  }

  return (
    <>
      {kinds.map((kind) => {
        const own = lists.filter((list) => list.kind === kind);
        if (own.length === 0) return null;
        return (
          <Select
            key={kind}
            id={`inv-template-list-${kind}`}
            label={labels[kind]}
            value={picked.names[kind]}
            options={[{ value: "", label: "None" }, ...own.map(({ name }) => ({ value: name, label: name }))]}
            onChange={(name) => void pick(kind, name)}
          />
        );
      })}
    </>
  );
}

function cellsOf({ heading, values }: SavedList): GivenCells {
  return { firstRow: heading.row + 2, cells: values.map((value) => [value]) };
}
