/**
 * A formula before it is written: its text, its value in the first row, its cost for all rows, and the rows that INV will
 * refuse. INV requests a missing value only at a click, and shows the cost first.
 */
import { areaAddress } from "../../workbook/addresses";
import type { Appraisal, PreviewedResult } from "../../workbook/insert/appraise";
import type { InsertState } from "../../workbook/insert/insert";
import { Failure } from "../parts/load-status";
import { Buttons, Facts, Message } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { RowReasons } from "./row-reasons";
import { counted, requestWords, untilWords } from "../parts/words";

const rowsShown = 6;

export function InsertPreview({
  state,
  connection,
  services: { engine, clock },
  onAsk,
}: ViewProps & { readonly state: InsertState; readonly onAsk: () => void }) {
  const { plan, lacks, appraisal, asking, failed } = state;
  const { limit } = engine.progress().quota.search;
  if (lacks !== null) return <p role="status">{lacks}</p>;
  return (
    <>
      {plan === null ? (
        <p role="status">{failed === null ? "Reading the sheet…" : ""}</p>
      ) : (
        <>
          <p class="formula">
            <code>{plan.formula}</code>
          </p>
          <Facts
            facts={[
              ["Goes into", `${areaAddress(plan.area)} of ${plan.area.sheet}`],
              ...(appraisal
                ? [
                    [
                      "Uses",
                      costOf(appraisal, { unit: plan.spills ? "cell" : "row", limit, nowMs: clock.now() }),
                    ] as const,
                  ]
                : []),
            ]}
          />
          {appraisal ? null : <p role="status">Reading the rows…</p>}
          {appraisal?.preview ? (
            <Value cell={areaAddress({ ...plan.area, rows: 1 })} previewed={appraisal.preview} />
          ) : null}
          {appraisal?.previewPrice ? (
            <div class="ask" role="status">
              {asking ? (
                <p>Asking…</p>
              ) : (
                <p>
                  To see the value of the first row, INV uses {requestWords(appraisal.previewPrice, limit)}.
                </p>
              )}
              <Buttons
                quiet
                disabled={asking || !connection.hasCredentials}
                actions={{ "Show the first value": onAsk }}
              />
            </div>
          ) : null}
          {appraisal && appraisal.refused.length > 0 ? (
            <Message intent="warning">
              {counted(appraisal.refused.length, "row")} will show an error. Check items finds the mistakes:
              <RowReasons rows={appraisal.refused} />
            </Message>
          ) : null}
        </>
      )}
      <Failure error={failed} />
    </>
  );
}

function Value({ cell, previewed }: { readonly cell: string; readonly previewed: PreviewedResult }) {
  const { rows, reason } = previewed;
  const only = rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : null;
  if (reason !== null) {
    return (
      <Message intent="warning">
        {cell} would show <strong>{only}</strong>: {reason}
      </Message>
    );
  }
  if (only !== null) {
    return (
      <p role="status" class="first-value">
        {cell} {only === "" ? "stays blank: its store or item is." : "would show "}
        {only === "" ? null : <strong>{only}</strong>}
      </p>
    );
  }
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label="What the formula would show">
      <table class="figures-table">
        <caption>
          {cell} would show {counted(rows.length, "row")} by {counted(rows[0]?.length ?? 0, "column")}
          {rows.length > rowsShown ? `; the first ${rowsShown}` : ""}.
        </caption>
        <tbody>
          {rows.slice(0, rowsShown).map((row, at) => (
            <tr key={at}>
              {row.map((text, col) => (
                <td key={col}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function costOf(
  { cells, price }: Appraisal,
  { unit, limit, nowMs }: { readonly unit: string; readonly limit: number; readonly nowMs: number },
): string {
  if (cells === 0) return `nothing: no ${unit} asks for anything`;
  if (price.searchCalls + price.eventCallsAtLeast === 0) return "no request: INV has all values";
  return `${requestWords(price, limit)} for ${counted(cells, unit)}, ${untilWords(price.durationMs, nowMs)}`;
}
