/**
 * Freezing, mailing and sharing the open workbook, and saving its sheet as a template for the team. Each says
 * what it did, what it left alone, and why.
 */
import { useState } from "preact/hooks";
import type { FreezeAs } from "../../workbook/frozen-formulas/freeze";
import type { FreezeScope } from "../../workbook/frozen-formulas/freezer-types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import { loaded } from "../../workbook/loaded";
import { selectedAreas } from "../../workbook/selected-areas";
import { prepareToMail } from "../../workbook/share/prepare-to-mail";
import { Told, useAction } from "../parts/action";
import { Button, Choice, Section } from "../parts/parts";
import { lazyPanel } from "../parts/lazy-panel";
import { TeamTemplateSection } from "./team-template";
import type { PaneServices } from "../services";
import { reportWords } from "../parts/freeze-words";
import { counted } from "../parts/words";

const LedgerList = lazyPanel(async () => {
  const { LedgerList: Panel } = await import(/* webpackChunkName: "ledger-list" */ "./frozen-formulas");
  return Panel;
});

interface ShareProps {
  services: PaneServices;
  open: Extract<OpenWorkbook, { kind: "open" }>;
}

export function ShareSection({ services, open }: ShareProps) {
  const [scope, setScope] = useState<FreezeScope>("selection");
  const [mailAs, setMailAs] = useState<FreezeAs>("values");
  const [listed, setListed] = useState(false);
  const freezing = useAction();
  const mailing = useAction();
  const copying = useAction();
  const { freezer, workbook } = open;

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
    return `"${made}" holds the values alone, with their age and environment above them.`;
  }

  return (
    <>
      <Section title="Freeze">
        <p class="hint">Formulas become values that never change; the workbook remembers them for thawing.</p>
        <Choice
          name="inv-freeze-scope"
          legend="What to freeze or thaw"
          value={scope}
          onChange={setScope}
          options={[
            { value: "selection", label: "Selected cells" },
            { value: "sheet", label: "This sheet" },
            { value: "workbook", label: "Whole workbook" },
          ]}
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
        <details class="group" open={listed} onToggle={(event) => setListed(event.currentTarget.open)}>
          <summary>What is in the ledger</summary>
          {listed ? <LedgerList services={services} freezer={freezer} revision={freezing.told} /> : null}
        </details>
      </Section>
      <Section title="Mail and share">
        <Choice
          name="inv-mail-as"
          legend="Prepare this workbook to mail to people with INV"
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
        <p class="hint">For people without INV, make a copy of this sheet that holds values only.</p>
        <div class="buttons">
          <Button onClick={() => copying.run(copy)}>Share a copy</Button>
        </div>
        <Told action={copying} />
      </Section>
      <TeamTemplateSection services={services} workbook={workbook} />
    </>
  );
}
