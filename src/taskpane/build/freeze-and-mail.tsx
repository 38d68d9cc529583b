/**
 * Freezes and thaws formulas, prepares the workbook for mail, and copies values. Each action says what it did, what it left
 * unchanged, and why.
 */
import { useState } from "preact/hooks";
import type { FreezeAs } from "../../workbook/frozen-formulas/freeze";
import type { FreezeScope } from "../../workbook/frozen-formulas/freezer-types";
import type { FreezeReport } from "../../workbook/frozen-formulas/report";
import { loaded } from "../../workbook/loaded";
import { selectedAreas } from "../../workbook/selected-areas";
import { prepareToMail } from "../../workbook/share/prepare-to-mail";
import { WorkButtons } from "../parts/action";
import { Choice } from "../parts/fields";
import { Fold, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { freezeWords } from "../parts/freeze-words";
import { counted, scopeOptions } from "../parts/words";
import { FrozenFormulas } from "./frozen-formulas";

export function FreezeAndMail({ services, workbook, freezer }: ViewProps) {
  const [scope, setScope] = useState<FreezeScope>("selection");
  const [mailAs, setMailAs] = useState<FreezeAs>("values");
  /** Counts the freezes and thaws, so that the list of frozen formulas is read again after each. */
  const [changes, setChanges] = useState(0);

  async function change(work: Promise<FreezeReport>, done: "frozen" | "thawed"): Promise<string> {
    return freezeWords(await work.finally(() => setChanges((before) => before + 1)), done);
  }

  async function mail(): Promise<string> {
    const report = await prepareToMail({ workbook, freezer }, mailAs).finally(() =>
      setChanges((before) => before + 1),
    );
    if (report.frozen === null) return "This workbook has no INV formulas. Mail it as it is.";
    const { cells, environmentIds } = report.frozen;
    const shown = mailAs === "values" ? "their values" : "empty cells";
    return (
      `${freezeWords(report, "frozen")} The file now contains ${shown}, ${counted(cells, "formula")} in a hidden sheet, ` +
      `and the environment's name (${environmentIds.join(", ") || "none"}). No credentials. Save it, then mail it.`
    );
  }

  async function copy(): Promise<string> {
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const { waiting } = services.cells.summary();
    // The oldest value may be one that was saved with the workbook.
    const { oldestMs } = services.age.get();
    const environment = services.connection.get().environment?.label ?? "";
    const nowMs = services.clock.now();
    const { shareCopy } = await loaded(
      import(/* webpackChunkName: "share" */ "../../workbook/share/share-copy"),
    );
    const copyName = await shareCopy(workbook, sheet, { environment, oldestMs, nowMs, waiting });
    return `The sheet "${copyName}" contains the values, with their age and environment above them.`;
  }

  return (
    <>
      <Section title="Freeze">
        <p class="hint">Frozen formulas become values that don't change until you thaw them.</p>
        <Choice
          name="inv-freeze-scope"
          legend="What to freeze or thaw"
          value={scope}
          onChange={setScope}
          options={scopeOptions}
        />
        <WorkButtons
          actions={{
            Freeze: () => change(freezer.freeze(scope), "frozen"),
            Thaw: () => change(freezer.thaw(scope), "thawed"),
          }}
        />
        <Fold title="Frozen formulas">
          {() => <FrozenFormulas services={services} freezer={freezer} revision={changes} />}
        </Fold>
      </Section>
      <Section title="Mail">
        <Choice
          name="inv-mail-as"
          legend="To people with INV"
          value={mailAs}
          onChange={setMailAs}
          options={[
            { value: "values", label: "Keep the values", hint: "readers see today's numbers" },
            { value: "blank", label: "Empty the cells", hint: "no numbers leave the company" },
          ]}
        />
        <WorkButtons actions={{ "Prepare to mail": mail }} />
        <p>To people without INV</p>
        <WorkButtons actions={{ "Copy values to a new sheet": copy }} />
      </Section>
    </>
  );
}
