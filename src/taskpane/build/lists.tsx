/** Lists: those that the workbook's names and Tables make, and a form that names the column of the selected cell. */
import { useState } from "preact/hooks";
import { columnName } from "../../formula/columns";
import { functionAddress } from "../../workbook/addresses";
import { type CellList, readLists } from "../../workbook/lists/lists";
import { nameColumn } from "../../workbook/lists/name-column";
import { selectedAreas } from "../../workbook/selected-areas";
import { ActionStatus, useAction } from "../parts/action";
import { CellRows } from "../parts/cell-rows";
import { TextField } from "../parts/fields";
import { LoadStatus } from "../parts/load-status";
import { Form, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-source";
import { counted } from "../../domain/number-words";

export function Lists({ services, workbook, active }: ViewProps) {
  const [name, setName] = useState("");
  const naming = useAction();
  const lists = useLoaded(active ? () => readLists(workbook) : null, [workbook, active]);
  const isExcel = services.host.kind === "excel";

  async function use(): Promise<string> {
    const [selected] = await selectedAreas(workbook, services.clock);
    const named = await nameColumn(workbook, { selected, name: name.trim() });
    lists.again();
    setName("");
    const { kind, entries, itemType, oddRows } = named;
    const [first, ...others] = oddRows;
    return [
      `${named.name}: ${counted(entries, kind === "stores" ? "store" : "item")}. Type below the column to add more.`,
      itemType === "wm_item_number" ? 'Give "wm_item_number" as item_type with it.' : "",
      first === undefined
        ? ""
        : `Row ${first}${others.length > 0 ? ` and ${counted(others.length, "other row")}` : ""} can't be read. ` +
          "Check items says why.",
    ]
      .filter((sentence) => sentence !== "")
      .join(" ");
  }

  return (
    <Section>
      <p class="hint">
        Stores or items with a name, for formulas and templates:{" "}
        <code>=INV.QTY(Stores_North, TRANSPOSE(Items_Top))</code>. Named ranges
        {isExcel ? " and the columns of Tables" : ""} are lists too.
      </p>
      <LoadStatus loaded={lists} busyText="Reading the names…" />
      {lists.value === null || lists.value.length === 0 ? null : (
        <CellRows
          services={services}
          items={lists.value}
          label="Lists of this workbook"
          row={(list) => ({
            key: list.text,
            address: addressOf(list),
            label: list.text,
            words: list.kind ?? "neither stores nor items",
          })}
        />
      )}
      <Form
        submit="Use this column as a list"
        onSubmit={() => naming.run(use)}
        isBusy={naming.busyText !== null}
      >
        <TextField
          id="inv-list-name"
          label="Name for the column of the selected cell"
          placeholder="Stores_North"
          value={name}
          onText={setName}
        />
      </Form>
      <ActionStatus action={naming} />
      <p class="hint">
        To rename or delete a name, use{" "}
        {isExcel ? "Formulas, Name Manager." : "the arrow of the name box, left of the formula bar."}
      </p>
    </Section>
  );
}

function addressOf({ area }: CellList): string {
  return functionAddress(area.sheet, `${columnName(area.col)}${area.row + 1}`);
}
