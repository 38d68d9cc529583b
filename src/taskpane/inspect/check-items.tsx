/**
 * Check items: finds the input errors in a list of stores and items without a request, and groups them by kind. One click
 * corrects one error, a kind, or all whose correction is certain. Each click is one undo step.
 */
import { useState } from "preact/hooks";
import { columnName } from "../../formula/columns";
import { quotedValue } from "../../domain/bad-argument";
import { faultTitles } from "../../domain/validator/finding";
import { areaAddress, cellAddresses } from "../../workbook/addresses";
import { type CheckedFinding, checkItems, type CheckedList } from "../../workbook/inspect/check-items";
import { correct, type CorrectionCounts } from "../../workbook/corrections";
import type { CellRef } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { NameErrors } from "./name-errors";
import { type CellRow, CellRows } from "../parts/cell-rows";
import { ActionStatus, useAction } from "../parts/action";
import { Button, Buttons, Fold, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import type { ViewProps } from "../parts/tab";
import { count, counted, overwrittenWords } from "../parts/words";

export function CheckItems({ services, workbook }: ViewProps) {
  const [list, setList] = useState<CheckedList | null>(null);
  const working = useAction();

  async function check(): Promise<null> {
    setList(null);
    setList(await checkItems(workbook, await selectedAreas(workbook, services.clock)));
    return null;
  }

  async function apply(findings: readonly CheckedFinding[]): Promise<string> {
    setList(null);
    const corrections = findings.flatMap((finding) => finding.corrections);
    const written = await correct(workbook, corrections);
    await check();
    return correctedWords(written);
  }

  return (
    <>
      <Section>
        <p>
          Finds wrong stores and items without sending a request: lost zeros, letters for digits, wrong check
          digits, item numbers among GTINs, duplicates. Select the list, or one cell of it.
        </p>
        <Buttons
          primary
          isBusy={working.busyText !== null}
          actions={{
            [list === null ? "Check" : "Check again"]: () => working.run(check, "Checking…"),
          }}
        />
        <ActionStatus action={working} />
        <div role="status">{list === null ? null : <Checked list={list} />}</div>
      </Section>
      <NameErrors services={services} workbook={workbook} active={list !== null} />
      {list !== null && list.findings.length > 0 ? (
        <Findings
          services={services}
          list={list}
          onApply={(findings) => working.run(() => apply(findings), "Correcting…")}
        />
      ) : null}
    </>
  );
}

function correctedWords({ cells, skipped, overwritten }: CorrectionCounts): string {
  const rest = skipped === 0 ? "" : ` INV skipped ${counted(skipped, "cell")} that changed meanwhile.`;
  const done =
    cells === 0
      ? "INV wrote nothing, because the cells have changed."
      : `${counted(cells, "cell")} corrected. Press Ctrl+Z once to undo.${rest}`;
  return done + overwrittenWords(overwritten);
}

function Checked({ list }: { list: CheckedList }) {
  const { validated, findings, storeCol, itemCol, itemRow, itemType } = list;
  const items = itemType === "gtin" ? "GTINs" : "item numbers";
  const columns = [
    storeCol === null ? null : `stores in column ${columnName(storeCol)}`,
    itemCol === null ? null : `${items} in column ${columnName(itemCol)}`,
    itemRow === null ? null : `${items} in row ${itemRow + 1}`,
  ].filter((part) => part !== null);
  const checked =
    itemRow === null ? counted(validated, "row") : counted(validated, "store and item", "stores and items");
  return (
    <p>
      {checked} of {list.sheet}: {columns.join(", ")}.{" "}
      {findings.length === 0 ? "Nothing is wrong." : `${counted(findings.length, "finding")}.`}
    </p>
  );
}

function Findings(props: {
  readonly services: PaneServices;
  readonly list: CheckedList;
  readonly onApply: (findings: readonly CheckedFinding[]) => void;
}) {
  const { services, list, onApply } = props;
  const sure = list.findings.filter(({ sure: isSure, corrections }) => isSure && corrections.length > 0);
  return (
    <Section title="Findings">
      {sure.length > 0 ? (
        <Buttons
          primary
          actions={{
            [sure.length === 1 ? "Fix the one that is sure" : `Fix all ${count(sure.length)} that are sure`]:
              () => onApply(sure),
          }}
        />
      ) : null}
      {groupsOf(list.findings).map(([first, findings]) => {
        const mendable = findings.filter(({ corrections }) => corrections.length > 0);
        return (
          <Fold
            key={first.fault}
            title={
              <>
                <strong>{count(findings.length)}</strong> {faultTitles[first.fault]}
                {first.severity === "refusal" ? <span class="row-detail">INV refuses these.</span> : null}
              </>
            }
          >
            {() => (
              <>
                {mendable.length > 1 ? (
                  <Buttons
                    quiet
                    actions={{ [`Apply these ${count(mendable.length)}`]: () => onApply(mendable) }}
                  />
                ) : null}
                <CellRows
                  services={services}
                  items={findings}
                  row={(finding) => rowOf(finding, () => onApply([finding]))}
                />
              </>
            )}
          </Fold>
        );
      })}
    </Section>
  );
}

function rowOf(finding: CheckedFinding, onApply: () => void): CellRow {
  const { cell, received, advice, changes, corrections, sameAsCell } = finding;
  const isFormula = changes.length > 0 && corrections.length === 0;
  const address = addressOf(cell);
  return {
    key: address,
    address,
    label: areaAddress({ ...cell, rows: 1, cols: 1 }),
    words: quotedValue(received),
    action:
      corrections.length > 0 ? (
        <Button quiet onClick={onApply}>
          Write {changes.map(({ value }) => String(value)).join(", ")}
        </Button>
      ) : null,
    detail: (
      <>
        {advice}
        {isFormula ? " A formula calculates it. Correct its source." : null}
        {sameAsCell ? ` First in ${areaAddress({ ...sameAsCell, rows: 1, cols: 1 })}.` : null}
      </>
    ),
  };
}

function addressOf(cell: CellRef): string {
  const [, quoted] = cellAddresses(cell);
  return quoted;
}

/**
 * Groups findings by kind: first those that INV refuses, then those that are probably wrong. In each, the most frequent come
 * first.
 */
function groupsOf(
  findings: readonly CheckedFinding[],
): readonly (readonly [first: CheckedFinding, all: readonly CheckedFinding[]])[] {
  const groups = new Map<string, readonly [CheckedFinding, CheckedFinding[]]>();
  for (const finding of findings) {
    const group = groups.get(finding.fault);
    if (group) group[1].push(finding);
    else groups.set(finding.fault, [finding, [finding]]);
  }
  const order = { refusal: 0, warning: 1, note: 2 };
  return [...groups.values()].sort(
    ([a, as], [b, bs]) => order[a.severity] - order[b.severity] || bs.length - as.length,
  );
}
