/** What the last refresh changed: a list of cells that a person can walk through, or write to a sheet. */
import { addressOf, writeChangeSheet } from "../../workbook/what-changed/change-table";
import type { ChangedCell, ChangeReport, ValueChange } from "../../workbook/what-changed/report";
import { withoutKind } from "../../workbook/cell-content";
import type { CellContent, Workbook } from "../../workbook/port";
import { WorkButtons } from "../parts/action";
import { askedWords, type CellRow, CellRows } from "../parts/cell-rows";
import { Fold } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, counted, grouped } from "../../domain/number-words";
import { shortened } from "../parts/words";

export function WhatChanged(props: { services: PaneServices; workbook: Workbook; report: ChangeReport }) {
  const { services, workbook, report } = props;
  const { changed, added, atMs, movedSheets } = report;

  async function write(): Promise<string> {
    const { cells } = services;
    return `The list is on the new sheet "${await writeChangeSheet({ workbook, cells }, [...changed, ...added], atMs)}".`;
  }

  return (
    <>
      {movedSheets.length === 0 ? null : (
        <p class="hint">Not compared, because cells moved during the refresh: {movedSheets.join(", ")}.</p>
      )}
      <Changes services={services} label="Changes" cells={changed} />
      {added.length === 0 ? null : (
        <Fold title={`${counted(added.length, "cell")} had no value before`}>
          {() => <Changes services={services} label="New values" cells={added} />}
        </Fold>
      )}
      {changed.length + added.length === 0 ? null : (
        <WorkButtons quiet actions={{ "To a new sheet": write }} />
      )}
    </>
  );
}

function Changes(props: { services: PaneServices; label: string; cells: readonly ChangedCell[] }) {
  const { services, label, cells } = props;
  if (cells.length === 0) return null;
  return (
    <CellRows
      services={services}
      label={label}
      items={cells}
      hasTexts
      row={(changed) => (changed.of === 1 ? valueRow(changed.values[0]) : gridRow(services, changed))}
    />
  );
}

/** A formula that fills many cells has one line, with its values inside. */
function gridRow(services: PaneServices, { cell, values, of }: ChangedCell): CellRow {
  const address = addressOf(cell);
  const title = `${count(values.length)} of ${counted(of, "value")}`;
  return {
    key: address,
    address,
    words: title,
    detail: (
      <Fold title="Values">
        {() => (
          <CellRows
            services={services}
            label={`Values of ${address}`}
            items={values}
            hasTexts
            row={valueRow}
          />
        )}
      </Fold>
    ),
  };
}

function valueRow(change: ValueChange): CellRow {
  const { store, item, before, after } = change;
  const address = addressOf(change);
  return {
    key: address,
    address,
    words: (
      <strong class="change-values">
        <span class="spoken">before </span>
        {inWords(before)}
        <span aria-hidden="true"> → </span>
        <span class="spoken"> after </span>
        {inWords(after)}
      </strong>
    ),
    detail: askedWords({ store, item, age: "" }),
  };
}

function inWords(content: CellContent): string {
  const value = withoutKind(content);
  if (typeof value === "number") return grouped(value);
  if (value === null || value === "") return "blank";
  return shortened(typeof value === "boolean" ? String(value).toUpperCase() : value);
}
