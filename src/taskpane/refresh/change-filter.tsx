/** Which changes are listed: all, those to or from zero, or those larger than a number that is typed. */
import type { ChangeFilter, ChangeReport } from "../../workbook/what-changed/report";
import { Field, Select } from "../parts/parts";
import { count } from "../parts/words";

export interface FilterChoice {
  readonly kind: ChangeFilter["kind"];
  /** As it was typed. */
  readonly limit: string;
}

/** Null where what was typed is no limit. */
export function filterOf({ kind, limit }: FilterChoice): ChangeFilter | null {
  if (kind !== "more-than" && kind !== "more-than-percent") return { kind };
  const amount = limit.trim() === "" ? NaN : Number(limit.replace(",", "."));
  if (!(amount >= 0)) return null;
  return kind === "more-than" ? { kind, amount } : { kind, percent: amount };
}

interface ChangeFilterProps {
  report: ChangeReport;
  choice: FilterChoice;
  onChange: (choice: FilterChoice) => void;
}

export function ChangeFilterFields({ report, choice, onChange }: ChangeFilterProps) {
  const options: readonly { readonly value: FilterChoice["kind"]; readonly label: string }[] = [
    { value: "all", label: `All changes (${count(report.changes.length)})` },
    { value: "to-zero", label: `Went to zero (${count(report.toZero)})` },
    { value: "from-zero", label: `Came back (${count(report.fromZero)})` },
    { value: "more-than", label: "By more than …" },
    { value: "more-than-percent", label: "By more than … %" },
  ];
  const isPercent = choice.kind === "more-than-percent";
  return (
    <div class="change-filter">
      <Select
        id="inv-change-filter"
        label="List"
        value={choice.kind}
        options={options}
        onChange={(value) => {
          const chosen = options.find((option) => option.value === value);
          if (chosen) onChange({ ...choice, kind: chosen.value });
        }}
      />
      {isPercent || choice.kind === "more-than" ? (
        <Field
          id="inv-change-limit"
          label={isPercent ? "Per cent of the value before" : "Difference, up or down"}
        >
          <input
            id="inv-change-limit"
            class="control"
            inputMode="decimal"
            value={choice.limit}
            onInput={(event) => onChange({ ...choice, limit: event.currentTarget.value })}
          />
        </Field>
      ) : null}
    </div>
  );
}
