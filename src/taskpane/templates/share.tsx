/** Copies sheets with their values. Says what it did, or why not, and how to give the copies, or the sheet without them, to others. */
import { useState } from "preact/hooks";
import { whenGone } from "../../workbook/gone-sheets";
import { type PassingText, WorkButtons } from "../parts/action";
import { Choice } from "../parts/fields";
import { Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";

export function Share({ services, workbook, refresher }: ViewProps) {
  const [scope, setScope] = useState<"sheet" | "all">("sheet");

  async function copy(): Promise<PassingText> {
    const names = await services.copyWithValues({ workbook, refresher }, scope);
    const [name = ""] = names;
    const text =
      names.length === 1
        ? `The sheet "${name}" contains the values, with their age and environment above them.`
        : `${names.length} new sheets contain the values, with their age and environment above them: ${names.join(", ")}.`;
    return { text, onPassed: whenGone(workbook, names) };
  }

  return (
    <Section title="Copy with values">
      <p class="hint">
        Makes a new sheet with today's date that contains values and formats, and no formulas. The original
        stays as it is.
      </p>
      <Choice
        name="inv-copy-scope"
        legend="What to copy"
        value={scope}
        onChange={setScope}
        options={[
          { value: "sheet", label: "This sheet" },
          { value: "all", label: "All sheets with INV formulas" },
        ]}
      />
      <WorkButtons actions={{ "Copy with values": copy }} />
      <p>
        {services.host.kind === "excel"
          ? "To send the values to somebody, right-click the copy's tab, choose Move or Copy, and select a new workbook."
          : "To send the values to somebody, choose Download above the sheet."}{" "}
        To give somebody the sheet without your numbers, save it as a template under Templates.
      </p>
    </Section>
  );
}
