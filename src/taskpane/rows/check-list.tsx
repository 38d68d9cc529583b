/**
 * Check a list: what is wrong with the stores and items that Rows shows, by kind, without a request. It only reports, here or on a new
 * sheet.
 */
import { useMemo, useState } from "preact/hooks";
import { quotedValue } from "../../domain/bad-argument";
import { counted } from "../../domain/number-words";
import { faultTitles } from "../../domain/validator/validate";
import {
  type CheckedFinding,
  type CheckedList,
  checkList,
  writeFindings,
} from "../../workbook/inspect/check-list";
import { whenGone } from "../../workbook/gone-sheets";
import { readAgain, type RowsPart } from "../../workbook/templates/rows";
import { ActionStatus, type PassingText, useAction, WorkButtons } from "../parts/action";
import { type CellRow, CellRows } from "../parts/cell-rows";
import { Buttons, Fold, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import type { PaneServices } from "../services";
import { type Given, nothingGiven, RowsGiven, rowsOrWait } from "./rows-given";

export function CheckList({ services, connection, workbook }: ViewProps) {
  const [given, setGiven] = useState<Given>(nothingGiven);
  const [list, setList] = useState<CheckedList | null>(null);
  const working = useAction();
  const { rows, waitsFor } = useMemo(() => rowsOrWait("check", given), [given]);
  const { part } = given.checked;

  /** What was found says nothing about another choice. */
  function give(change: Partial<Given>): void {
    working.cancel();
    setList(null);
    setGiven((now) => ({ ...now, ...change }));
  }

  async function check(signal: AbortSignal): Promise<null> {
    setList(null);
    const now = part && (await readAgain(workbook, part));
    if (now === null || signal.aborted) return null;
    setGiven((before) => ({ ...before, checked: { ...before.checked, part: now } }));
    setList(checkList(now));
    return null;
  }

  return (
    <>
      <Section>
        <p>
          Finds wrong stores and items without sending a request, and changes nothing. Select the list, or one
          cell of it.
        </p>
        <RowsGiven
          services={services}
          connection={connection}
          workbook={workbook}
          use="check"
          given={given}
          rows={rows}
          onGiven={give}
        />
        {waitsFor === null ? null : <p role="status">{waitsFor}</p>}
        <Buttons
          primary
          disabled={part === null || waitsFor !== null}
          isBusy={working.busyText !== null}
          actions={{
            [list === null ? "Check" : "Check again"]: () => working.run(check, "Checking…"),
          }}
        />
        <ActionStatus action={working} />
        <div role="status">{list === null ? null : <p>{verdictOf(list, part)}</p>}</div>
      </Section>
      {list !== null && list.findings.length > 0 ? (
        <Findings
          services={services}
          list={list}
          onList={async () => {
            const name = await writeFindings(workbook, list);
            return { text: `The findings are on the sheet "${name}".`, onPassed: whenGone(workbook, [name]) };
          }}
        />
      ) : null}
    </>
  );
}

function verdictOf({ checked: { store, item }, findings }: CheckedList, part: RowsPart | null): string {
  const counts = [
    store === null ? [] : counted(store, "store"),
    item === null ? [] : counted(item, "item"),
  ].flat();
  const verdict =
    findings.length > 0
      ? `${counted(findings.length, "finding")}.`
      : store === 0 || item === 0
        ? "Choose a column that isn't blank."
        : "Nothing is wrong.";
  const unchecked = store === null ? "Stores" : "Items";
  const mayHaveThem = counts.length === 1 && (part?.isFilled.filter(Boolean).length ?? 0) > 1;
  const others = mayHaveThem ? ` ${unchecked} weren't checked: choose their column if the list has one.` : "";
  return `${counts.join(" and ")} checked. ${verdict}${others}`;
}

function Findings(props: {
  readonly services: PaneServices;
  readonly list: CheckedList;
  readonly onList: () => Promise<PassingText>;
}) {
  const { services, list } = props;
  return (
    <Section title="Findings">
      {Object.entries(faultTitles).map(([fault, title]) => {
        const findings = list.findings.filter((finding) => finding.fault === fault);
        if (findings.length === 0) return null;
        return (
          <Fold
            key={fault}
            title={
              <>
                <strong>{counted(findings.length, "cell")}</strong>: {title}
              </>
            }
          >
            {() => <CellRows services={services} items={findings} row={rowOf} />}
          </Fold>
        );
      })}
      <WorkButtons quiet actions={{ "List them on a new sheet": props.onList }} />
    </Section>
  );
}

function rowOf({ address, place, fault, received, reason }: CheckedFinding): CellRow {
  return {
    key: `${place} ${fault}`,
    address,
    label: place,
    words: quotedValue(received ?? ""),
    detail: reason,
  };
}
