/** Lists of the workbook as rows of a template: one for its stores, one for its items. Empty if the workbook has no lists. */
import { useEffect, useRef } from "preact/hooks";
import { type ListKind, readEntries, readLists } from "../../workbook/lists/lists";
import type { Workbook } from "../../workbook/port";
import type { GivenCells } from "../../workbook/templates/rows";
import { Select } from "../parts/fields";
import { useLoaded } from "../parts/use-source";

export interface PickedLists {
  /** The picked list of each kind, as a formula spells it; "" if none is picked. */
  readonly texts: Readonly<Record<ListKind, string>>;
  readonly cells: readonly GivenCells[];
}

export const noLists: PickedLists = { texts: { stores: "", items: "" }, cells: [] };

const labels = { stores: "Stores of a list", items: "GTINs of a list" } as const;
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
  const wanted = useRef(picked.texts);
  useEffect(() => void (wanted.current = picked.texts), [picked]);

  async function pick(kind: ListKind, text: string): Promise<void> {
    const texts = { ...wanted.current, [kind]: text };
    wanted.current = texts;
    const cells: GivenCells[] = [];
    for (const each of kinds) {
      const read = texts[each] === "" ? null : await readEntries(workbook, texts[each]).catch(() => null);
      if (read) cells.push({ firstRow: read.area.row + 1, cells: read.entries.map((entry) => [entry]) });
    }
    if (wanted.current === texts) onPick({ texts, cells });
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
            value={picked.texts[kind]}
            options={[{ value: "", label: "None" }, ...own.map(({ text }) => ({ value: text, label: text }))]}
            onChange={(text) => void pick(kind, text)}
          />
        );
      })}
    </>
  );
}
