/**
 * Check items: finds the input errors in a list of stores and items without a request, and groups them by kind. One click
 * corrects one error, a kind, or all whose correction is certain. Each click is one undo step.
 */
import { useState } from "preact/hooks";
import { columnName } from "../../formula/columns";
import { quotedValue } from "../../domain/bad-argument";
import { faultTitles } from "../../domain/validator/validate";
import { areaAddress, cellAddresses } from "../../workbook/addresses";
import {
  type CheckedFinding,
  checkItems,
  type CheckedList,
  writeFindings,
} from "../../workbook/inspect/check-items";
import { correct, type CorrectionCounts } from "../../workbook/corrections";
import type { CellRef } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { type CellRow, CellRows } from "../parts/cell-rows";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { Button, Buttons, Fold, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import type { ViewProps } from "../parts/tab";
import { count, counted } from "../../domain/number-words";
import { overwrittenWords } from "../parts/words";

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
    const corrections = findings.flatMap(({ correction }) => correction ?? []);
    const written = await correct(workbook, corrections);
    await check();
    return correctedWords(written);
  }

  return (
    <>
      <Section>
        <p>
          Finds wrong stores and items without sending a request: lost zeros, the letter O, wrong check
          digits, items written in two ways. Select the list, or one cell of it.
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
      {list !== null && list.findings.length > 0 ? (
        <Findings
          services={services}
          list={list}
          onApply={(findings) => working.run(() => apply(findings), "Correcting…")}
          onList={async () => `The findings are on the sheet "${await writeFindings(workbook, list)}".`}
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
  const { validated, findings, storeCol, itemCol, itemType } = list;
  const items = itemType === "gtin" ? "GTINs" : "item numbers";
  const columns = [
    storeCol === null ? null : `stores in column ${columnName(storeCol)}`,
    itemCol === null ? null : `${items} in column ${columnName(itemCol)}`,
  ].filter((part) => part !== null);
  return (
    <p>
      {counted(validated, "row")} of {list.sheet}: {columns.join(", ")}.{" "}
      {findings.length === 0 ? "Nothing is wrong." : `${counted(findings.length, "finding")}.`}
    </p>
  );
}

function Findings(props: {
  readonly services: PaneServices;
  readonly list: CheckedList;
  readonly onApply: (findings: readonly CheckedFinding[]) => void;
  readonly onList: () => Promise<string>;
}) {
  const { services, list, onApply } = props;
  const sure = list.findings.filter(({ sure: isSure, correction }) => isSure && correction !== null);
  return (
    <Section title="Findings">
      {sure.length > 0 ? (
        <Buttons
          primary
          actions={{
            [sure.length === 1
              ? "Fix the one that is certain"
              : `Fix all ${count(sure.length)} that are certain`]: () => onApply(sure),
          }}
        />
      ) : null}
      {Object.entries(faultTitles).map(([fault, title]) => {
        const findings = list.findings.filter((finding) => finding.fault === fault);
        if (findings.length === 0) return null;
        const mendable = findings.filter(({ correction }) => correction !== null);
        return (
          <Fold
            key={fault}
            title={
              <>
                <strong>{counted(findings.length, "cell")}</strong>: {title}
              </>
            }
          >
            {() => (
              <>
                {mendable.length > 1 ? (
                  <Buttons
                    quiet
                    actions={{ [`Fix these ${count(mendable.length)}`]: () => onApply(mendable) }}
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
      <WorkButtons quiet actions={{ "To a new sheet": props.onList }} />
    </Section>
  );
}

function rowOf(finding: CheckedFinding, onApply: () => void): CellRow {
  const { cell, received, meant, correction } = finding;
  const address = addressOf(cell);
  return {
    key: address,
    address,
    label: areaAddress({ ...cell, rows: 1, cols: 1 }),
    words: quotedValue(received),
    action:
      correction === null ? null : (
        <Button quiet onClick={onApply}>
          Write {String(meant)}
        </Button>
      ),
    detail: detailOf(finding),
  };
}

/** Empty where the title of the group and the button say it. */
function detailOf({ fault, advice, meant, correction }: CheckedFinding): string {
  if (correction !== null) return fault === "refused" ? advice : "";
  return meant === null ? advice : `${advice} A formula calculates it. Correct its source.`;
}

function addressOf(cell: CellRef): string {
  const [, quoted] = cellAddresses(cell);
  return quoted;
}
