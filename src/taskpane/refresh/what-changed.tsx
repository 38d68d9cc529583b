/** What the last refresh changed: a list that a person can filter, page through, or write to a sheet. */
import { useMemo, useState } from "preact/hooks";
import { addressOf, writeChangeSheet } from "../../workbook/what-changed/change-table";
import {
  type ChangeFilter,
  type ChangeReport,
  filterChanges,
  type NotCompared,
} from "../../workbook/what-changed/report";
import type { Workbook } from "../../workbook/port";
import { WorkButtons } from "../parts/action";
import { CellRows } from "../parts/cell-rows";
import { Select } from "../parts/fields";
import { Fold, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, counted } from "../parts/words";
import { ChangeRows } from "./change-rows";

const notComparedReasons: Readonly<Record<NotCompared["reason"], string>> = {
  edited: "edited or moved during the refresh",
  "other-query": "asks for another item, event type or dates than before",
};

export function WhatChanged(props: { services: PaneServices; workbook: Workbook; report: ChangeReport }) {
  const { services, workbook, report } = props;
  const [filter, setFilter] = useState<ChangeFilter>("all");
  const { changes, atMs, notCompared, toZero, fromZero } = report;
  const listed = useMemo(() => filterChanges(changes, filter), [changes, filter]);

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
          <Select<ChangeFilter>
            id="inv-change-filter"
            label="List"
            value={filter}
            options={[
              { value: "all", label: `All changes (${count(changes.length)})` },
              { value: "to-zero", label: `Went to zero (${count(toZero)})` },
              { value: "from-zero", label: `Came back (${count(fromZero)})` },
            ]}
            onChange={setFilter}
          />
          {/* The key: another list starts at its first page. */}
          <ChangeRows key={`${atMs} ${filter}`} services={services} changes={listed} />
          <WorkButtons quiet disabled={listed.length === 0} actions={{ "To a new sheet": write }} />
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

function changeNotes(report: ChangeReport): readonly string[] {
  const { compared, withoutValue } = report;
  const notes: string[] = [`${counted(compared, "cell")} compared.`];
  if (withoutValue > 0) {
    const have = withoutValue === 1 ? "has" : "have";
    notes.push(`${counted(withoutValue, "cell")} more had no value before, or ${have} none now.`);
  }
  return notes;
}
