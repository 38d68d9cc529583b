/** What the last refresh changed: a list of cells that a person can walk through, or write to a sheet. */
import { addressOf, writeChangeSheet } from "../../workbook/what-changed/change-table";
import type { ChangedCell, ChangeReport, ValueChange } from "../../workbook/what-changed/report";
import { withoutKind } from "../../workbook/cell-content";
import type { CellContent, Workbook } from "../../workbook/port";
import { whenGone } from "../../workbook/gone-sheets";
import { type PassingText, WorkButtons } from "../parts/action";
import { askedWords, type CellRow, CellRows, mostRows } from "../parts/cell-rows";
import { Fold } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, counted, formatted } from "../../domain/number-words";
import { useLoaded } from "../parts/use-observable";
import { shortened } from "../parts/words";

interface ListProps {
  services: PaneServices;
  workbook: Workbook;
  label: string;
}

export function WhatChanged(props: { services: PaneServices; workbook: Workbook; report: ChangeReport }) {
  const { services, workbook, report } = props;
  const { changed, added, atMs, movedSheets } = report;

  async function write(): Promise<PassingText> {
    const { cells } = services;
    const name = await writeChangeSheet({ workbook, cells }, [...changed, ...added], atMs);
    return { text: `The list is on the new sheet "${name}".`, onPassed: whenGone(workbook, [name]) };
  }

  return (
    <>
      {movedSheets.length === 0 ? null : (
        <p class="hint">
          Not compared, because somebody moved cells or renamed the sheet meanwhile: {movedSheets.join(", ")}.
        </p>
      )}
      <Changes services={services} workbook={workbook} label="Changes" cells={changed} />
      {added.length === 0 ? null : (
        <Fold title={`${counted(added.length, "cell")} had no value before`}>
          {() => <Changes services={services} workbook={workbook} label="New values" cells={added} />}
        </Fold>
      )}
      {changed.length + added.length === 0 ? null : (
        <WorkButtons quiet actions={{ "To a new sheet": write }} />
      )}
    </>
  );
}

function Changes(props: ListProps & { cells: readonly ChangedCell[] }) {
  const { cells, ...given } = props;
  const singles = cells.slice(0, mostRows).flatMap(({ values, of }) => (of === 1 ? [values[0]] : []));
  const formats = useNumberFormats(props.workbook, singles);
  if (cells.length === 0) return null;
  return (
    <CellRows
      services={props.services}
      label={props.label}
      items={cells}
      hasTexts
      row={(changed) => (changed.of === 1 ? valueRow(changed.values[0], formats) : gridRow(given, changed))}
    />
  );
}

/** A formula that fills many cells has one line, with its values inside. */
function gridRow(given: ListProps, { cell, values, of }: ChangedCell): CellRow {
  const address = addressOf(cell);
  return {
    key: address,
    address,
    words: `${count(values.length)} of ${counted(of, "value")}`,
    detail: (
      <Fold title="Values">
        {() => <GridValues {...given} label={`Values of ${address}`} values={values} />}
      </Fold>
    ),
  };
}

function GridValues(props: ListProps & { values: readonly ValueChange[] }) {
  const { services, workbook, label, values } = props;
  const formats = useNumberFormats(workbook, values.slice(0, mostRows));
  return (
    <CellRows
      services={services}
      label={label}
      items={values}
      hasTexts
      row={(change) => valueRow(change, formats)}
    />
  );
}

type NumberFormats = ReadonlyMap<string, string>;

/** Returns the cells' own number formats by address. They are there a moment after the lines. */
function useNumberFormats(workbook: Workbook, changes: readonly ValueChange[]): NumberFormats {
  const addresses = changes.map(addressOf);
  const { value } = useLoaded(
    changes.length === 0
      ? null
      : async () => {
          const formats = await workbook.numberFormats(changes);
          return new Map(addresses.map((address, index) => [address, formats[index] ?? "General"]));
        },
    [addresses.join("\n")],
  );
  return value ?? new Map();
}

function valueRow(change: ValueChange, formats: NumberFormats): CellRow {
  const { store, item, before, after } = change;
  const address = addressOf(change);
  const format = formats.get(address) ?? "General";
  // A change that the format hides is shown with all its decimals.
  const isHidden = inWords(before, format) === inWords(after, format);
  const words = (content: CellContent): string => inWords(content, isHidden ? "General" : format);
  return {
    key: address,
    address,
    words: (
      <strong class="change-values">
        <span class="spoken">before </span>
        {words(before)}
        <span aria-hidden="true"> → </span>
        <span class="spoken"> after </span>
        {words(after)}
      </strong>
    ),
    detail: askedWords({ store, item, age: "" }),
  };
}

function inWords(content: CellContent, numberFormat: string): string {
  const value = withoutKind(content);
  if (typeof value === "number") return formatted(value, numberFormat);
  if (value === null || value === "") return "blank";
  return shortened(typeof value === "boolean" ? String(value).toUpperCase() : value);
}
