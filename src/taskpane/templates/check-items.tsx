/**
 * Check items: finds the input errors in a list of stores and items without a request, and groups them by kind. It only reports,
 * here or on a new sheet for whoever keeps the list.
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
import type { CellRef } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { type CellRow, CellRows } from "../parts/cell-rows";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { Buttons, Fold, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import type { ViewProps } from "../parts/tab";
import { counted } from "../../domain/number-words";

export function CheckItems({ services, workbook }: ViewProps) {
  const [list, setList] = useState<CheckedList | null>(null);
  const working = useAction();

  async function check(): Promise<null> {
    setList(null);
    setList(await checkItems(workbook, await selectedAreas(workbook, services.clock)));
    return null;
  }

  return (
    <>
      <Section>
        <p>
          Finds wrong stores and items without sending a request: values that INV would refuse, wrong check
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
          onList={async () => `The findings are on the sheet "${await writeFindings(workbook, list)}".`}
        />
      ) : null}
    </>
  );
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
  readonly onList: () => Promise<string>;
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
      <WorkButtons quiet actions={{ "To a new sheet": props.onList }} />
    </Section>
  );
}

function rowOf({ cell, received, advice }: CheckedFinding): CellRow {
  const address = addressOf(cell);
  return {
    key: address,
    address,
    label: areaAddress({ ...cell, rows: 1, cols: 1 }),
    words: quotedValue(received),
    detail: advice,
  };
}

function addressOf(cell: CellRef): string {
  const [, quoted] = cellAddresses(cell);
  return quoted;
}
