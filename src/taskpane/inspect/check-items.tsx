/**
 * Check items: the input errors in a list of stores and items, grouped by kind, before any call is made. Each can be
 * corrected by itself, a kind at once, and all that is sure together; every click is one step to undo.
 */
import { useState } from "preact/hooks";
import { columnName } from "../../formula/columns";
import { toInvError } from "../../domain/errors";
import { shown } from "../../domain/bad-argument";
import { faultTitles } from "../../domain/validator/finding";
import { areaAddress, cellAddresses } from "../../workbook/addresses";
import { type CheckedFinding, checkItems, type CheckedList } from "../../workbook/inspect/check-items";
import { correct } from "../../workbook/corrections";
import type { CellRef } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { NameErrors } from "./name-errors";
import { type CellRow, CellRows } from "../parts/cell-rows";
import { Button, Fold, Message, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import type { ViewProps } from "../parts/tab";
import { useAlive } from "../parts/use-source";
import { count, counted } from "../parts/words";

type Check =
  | { readonly kind: "none" }
  | { readonly kind: "working"; readonly words: string }
  | { readonly kind: "failed"; readonly words: string }
  | { readonly kind: "done"; readonly list: CheckedList; readonly words: string | null };

export function CheckItems({ services, workbook }: ViewProps) {
  const [check, setCheck] = useState<Check>({ kind: "none" });
  const alive = useAlive();

  async function run(before: string | null): Promise<void> {
    setCheck({ kind: "working", words: before ?? "Checking…" });
    try {
      const areas = await selectedAreas(workbook, services.clock);
      const list = await checkItems(workbook, areas);
      if (alive.current) setCheck({ kind: "done", list, words: before });
    } catch (error) {
      if (alive.current) setCheck({ kind: "failed", words: toInvError(error).message });
    }
  }

  async function apply(findings: readonly CheckedFinding[]): Promise<void> {
    setCheck({ kind: "working", words: "Correcting…" });
    try {
      const { cells, left } = await correct(
        workbook,
        findings.flatMap(({ corrections }) => corrections),
      );
      const rest = left === 0 ? "" : ` ${counted(left, "cell")} changed meanwhile and stayed.`;
      await run(`${counted(cells, "cell")} corrected; one Undo takes it back.${rest}`);
    } catch (error) {
      if (alive.current) setCheck({ kind: "failed", words: toInvError(error).message });
    }
  }

  return (
    <>
      <Section title="Check items">
        <p>
          Finds wrong stores and items without sending a request: lost zeros, letters for digits, wrong check
          digits, item numbers among GTINs, duplicates. Select the list, or one cell of it.
        </p>
        <div class="buttons">
          <Button primary disabled={check.kind === "working"} onClick={() => void run(null)}>
            {check.kind === "done" ? "Check again" : "Check"}
          </Button>
        </div>
        <div role="status">
          {check.kind === "working" ? <p>{check.words}</p> : null}
          {check.kind === "failed" ? <Message intent="error">{check.words}</Message> : null}
          {check.kind === "done" ? <Outcome list={check.list} words={check.words} /> : null}
        </div>
      </Section>
      <NameErrors services={services} workbook={workbook} active={check.kind === "done"} />
      {check.kind === "done" && check.list.findings.length > 0 ? (
        <Findings services={services} list={check.list} onApply={(findings) => void apply(findings)} />
      ) : null}
    </>
  );
}

function Outcome({ list, words }: { list: CheckedList; words: string | null }) {
  const { validated, findings, storeCol, itemCol, itemRow, itemType } = list;
  const items = itemType === "gtin" ? "GTINs" : "item numbers";
  const columns = [
    storeCol === null ? null : `stores in column ${columnName(storeCol)}`,
    itemCol === null ? null : `${items} in column ${columnName(itemCol)}`,
    itemRow === null ? null : `${items} in row ${itemRow + 1}`,
  ].filter((part) => part !== null);
  return (
    <>
      {words === null ? null : <Message intent="success">{words}</Message>}
      <p>
        {counted(
          validated,
          itemRow === null ? "row" : "store and item",
          itemRow === null ? "rows" : "stores and items",
        )}{" "}
        of {list.sheet}: {columns.join(", ")}.{" "}
        {findings.length === 0 ? "Nothing is wrong." : `${counted(findings.length, "finding")}.`}
      </p>
    </>
  );
}

function Findings({
  services,
  list,
  onApply,
}: {
  readonly services: PaneServices;
  readonly list: CheckedList;
  readonly onApply: (findings: readonly CheckedFinding[]) => void;
}) {
  const sure = list.findings.filter(({ sure: isSure, corrections }) => isSure && corrections.length > 0);
  return (
    <Section title="Findings">
      {sure.length > 0 ? (
        <div class="buttons">
          <Button primary onClick={() => onApply(sure)}>
            {sure.length === 1 ? "Fix the one that is sure" : `Fix all ${count(sure.length)} that are sure`}
          </Button>
        </div>
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
                  <div class="buttons">
                    <Button quiet onClick={() => onApply(mendable)}>
                      Apply these {count(mendable.length)}
                    </Button>
                  </div>
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
    words: shown(received),
    action:
      corrections.length > 0 ? (
        <Button quiet onClick={onApply}>
          Write {changes.map(({ value }) => String(value)).join(", ")}
        </Button>
      ) : null,
    detail: (
      <>
        {advice}
        {isFormula ? " A formula calculates it: correct its source." : null}
        {sameAsCell ? ` First in ${areaAddress({ ...sameAsCell, rows: 1, cols: 1 })}.` : null}
      </>
    ),
  };
}

function addressOf(cell: CellRef): string {
  const [, quoted] = cellAddresses(cell);
  return quoted;
}

/** By kind: what INV refuses first, then what is probably not meant, each with the most frequent first. */
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
