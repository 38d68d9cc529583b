/** What the last refresh changed: a list that a person can filter, page through, copy, or write to a sheet. */
import { useMemo, useState } from "preact/hooks";
import { addressOf, asClipboardText, writeChangeSheet } from "../../workbook/what-changed/change-table";
import { type ChangeReport, filterChanges, type NotCompared } from "../../workbook/what-changed/report";
import type { Workbook } from "../../workbook/port";
import { ActionStatus, useAction } from "../parts/action";
import { CellRows } from "../parts/cell-rows";
import { Buttons, Fold, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, counted } from "../parts/words";
import { ChangeFilterFields, type FilterChoice, filterOf } from "./change-filter";
import { ChangeRows } from "./change-rows";

const notComparedReasons: Readonly<Record<NotCompared["reason"], string>> = {
  edited: "edited or moved during the refresh",
  "other-query": "asks for another item, event type or dates than before",
};

export function WhatChanged(props: { services: PaneServices; workbook: Workbook; report: ChangeReport }) {
  const { services, workbook, report } = props;
  const [choice, setChoice] = useState<FilterChoice>({ kind: "all", limit: "10" });
  const { changes, atMs, notCompared } = report;
  const filter = filterOf(choice);
  const listed = useMemo(
    () => (filter === null ? [] : filterChanges(changes, filter)),
    [changes, choice.kind, choice.limit],
  );
  const exporting = useAction();

  async function copy(): Promise<string> {
    await services.copyText(asClipboardText(listed, decimalSeparator()));
    return `${counted(listed.length, "row")} copied. Paste them into a sheet.`;
  }

  async function write(): Promise<string> {
    return `The list is on the new sheet "${await writeChangeSheet(workbook, listed, atMs)}".`;
  }

  return (
    <Section title="What changed">
      {changeNotes(report).map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      {changes.length === 0 ? null : (
        <>
          <ChangeFilterFields report={report} choice={choice} onChange={setChoice} />
          {choice.kind === "all" ? null : (
            <p class="hint" role="status">
              {filter === null
                ? "Enter a number of 0 or more."
                : `${count(listed.length)} of ${counted(changes.length, "change")}`}
            </p>
          )}
          {/* The key: another list starts at its first page. */}
          <ChangeRows key={`${atMs} ${choice.kind} ${choice.limit}`} services={services} changes={listed} />
          <Buttons
            quiet
            disabled={listed.length === 0}
            actions={{ Copy: () => exporting.run(copy), "To a new sheet": () => exporting.run(write) }}
          />
          <ActionStatus action={exporting} />
        </>
      )}
      {notCompared.length === 0 ? null : (
        <Fold title={`${counted(notCompared.length, "cell")} not compared`}>
          {() => (
            <CellRows
              services={services}
              items={notCompared}
              label="Not compared"
              row={({ cell, reason }) => ({
                key: addressOf(cell),
                address: addressOf(cell),
                words: notComparedReasons[reason],
              })}
            />
          )}
        </Fold>
      )}
    </Section>
  );
}

/** Returns the browser's separator, which is usually the spreadsheet's too. */
function decimalSeparator(): string {
  return (0.5).toLocaleString().charAt(1) === "," ? "," : ".";
}

function changeNotes(report: ChangeReport): readonly string[] {
  const { compared, onlySheet, isCut, withoutValue } = report;
  const notes: string[] = [`${counted(compared, "cell")} compared.`];
  if (onlySheet !== null) {
    const part = isCut ? `the first 200,000 cells of "${onlySheet}"` : `the sheet "${onlySheet}"`;
    notes.push(`More than 200,000 cells were refreshed; INV compared only ${part}, which was in view.`);
  }
  if (withoutValue > 0) {
    const have = withoutValue === 1 ? "has" : "have";
    notes.push(`${counted(withoutValue, "cell")} more had no value before, or ${have} none now.`);
  }
  return notes;
}
