/** Filters the listed changes: all, those to or from zero, or those larger than a typed number. */
import type { ChangeFilter, ChangeReport } from "../../workbook/what-changed/report";
import { Select, TextField } from "../parts/fields";
import { count } from "../parts/words";

export interface FilterChoice {
  readonly kind: ChangeFilter["kind"];
  readonly limit: string;
}

/** Returns null if the typed text is not a valid limit. */
export function filterOf({ kind, limit }: FilterChoice): ChangeFilter | null {
  if (kind !== "more-than" && kind !== "more-than-percent") return { kind };
  const amount = limit.trim() === "" ? NaN : Number(limit.replace(",", "."));
  if (!(amount >= 0)) return null;
  return kind === "more-than" ? { kind, amount } : { kind, percent: amount };
}

export function ChangeFilterFields(props: {
  report: ChangeReport;
  choice: FilterChoice;
  onChange: (choice: FilterChoice) => void;
}) {
  const { report, choice, onChange } = props;
  return (
    <div class="change-filter">
      <Select<FilterChoice["kind"]>
        id="inv-change-filter"
        label="List"
        value={choice.kind}
        options={[
          { value: "all", label: `All changes (${count(report.changes.length)})` },
          { value: "to-zero", label: `Went to zero (${count(report.toZero)})` },
          { value: "from-zero", label: `Came back (${count(report.fromZero)})` },
          { value: "more-than", label: "By more than …" },
          { value: "more-than-percent", label: "By more than … %" },
        ]}
        onChange={(kind) => onChange({ ...choice, kind })}
      />
      {choice.kind === "more-than" || choice.kind === "more-than-percent" ? (
        <TextField
          id="inv-change-limit"
          label={choice.kind === "more-than" ? "Difference, up or down" : "Percentage of the value before"}
          inputMode="decimal"
          value={choice.limit}
          onText={(limit) => onChange({ ...choice, limit })}
        />
      ) : null}
    </div>
  );
}
