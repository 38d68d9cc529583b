/** Freezing and thawing, preparing the workbook to mail, and copying values. Each says what it did and left alone. */
import { useState } from "preact/hooks";
import type { FreezeAs } from "../../workbook/frozen-formulas/freeze";
import type { FreezeScope } from "../../workbook/frozen-formulas/freezer-types";
import { loaded } from "../../workbook/loaded";
import { selectedAreas } from "../../workbook/selected-areas";
import { prepareToMail } from "../../workbook/share/prepare-to-mail";
import { Told, useAction } from "../parts/action";
import { Button, Choice, Fold, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { reportWords } from "../parts/freeze-words";
import { counted, scopeOptions } from "../parts/words";
import { FrozenFormulas } from "./frozen-formulas";

export function FreezeAndMail({ services, workbook, freezer }: ViewProps) {
  const [scope, setScope] = useState<FreezeScope>("selection");
  const [mailAs, setMailAs] = useState<FreezeAs>("values");
  const freezing = useAction();
  const mailing = useAction();
  const copying = useAction();

  async function mail(): Promise<string> {
    const report = await prepareToMail({ workbook, freezer }, mailAs);
    if (report.frozen === null) return "There are no INV formulas in this workbook; mail it as it is.";
    const { cells, environmentIds } = report.frozen;
    const shown = mailAs === "values" ? "their values" : "empty cells";
    return (
      `${reportWords(report, "frozen")} The file now holds ${shown}, ${counted(cells, "formula")} in a hidden sheet, ` +
      `and the environment's name (${environmentIds.join(", ") || "none"}). No credentials. Save it, then mail it.`
    );
  }

  async function copy(): Promise<string> {
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const { waiting } = services.cells.summary();
    // Those that the workbook was opened with count too.
    const { oldestMs } = services.age.get();
    const environment = services.connection.get().environment?.label ?? "";
    const nowMs = services.clock.now();
    const { shareCopy } = await loaded(
      import(/* webpackChunkName: "share" */ "../../workbook/share/share-copy"),
    );
    const made = await shareCopy(workbook, sheet, { environment, oldestMs, nowMs, waiting });
    return `The sheet "${made}" contains the values, with their age and environment above them.`;
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
        <div class="buttons">
          <Button
            onClick={() => freezing.run(async () => reportWords(await freezer.freeze(scope), "frozen"))}
          >
            Freeze
          </Button>
          <Button onClick={() => freezing.run(async () => reportWords(await freezer.thaw(scope), "thawed"))}>
            Thaw
          </Button>
        </div>
        <Told action={freezing} />
        <Fold title="Frozen formulas">
          {() => <FrozenFormulas services={services} freezer={freezer} revision={freezing.told} />}
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
        <div class="buttons">
          <Button onClick={() => mailing.run(mail)}>Prepare to mail</Button>
        </div>
        <Told action={mailing} />
        <p>To people without INV</p>
        <div class="buttons">
          <Button onClick={() => copying.run(copy)}>Copy values to a new sheet</Button>
        </div>
        <Told action={copying} />
      </Section>
    </>
  );
}
