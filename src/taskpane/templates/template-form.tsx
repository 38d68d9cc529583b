/**
 * One template: its rows, its optional columns, its cost, and the button that builds it. Shows all of that before INV sends a request.
 */
import { useMemo, useState, useEffect } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import type { InvError } from "../../domain/errors";
import { counted } from "../../domain/number-words";
import { needsFacts, type Template } from "../../domain/templates/template";
import { type BuildCost, tooManyWords } from "../../workbook/build-cost";
import type { Workbook } from "../../workbook/port";
import { buildTemplate } from "../../workbook/templates/build";
import type { TemplateChoice } from "../../workbook/templates/fill";
import { whenGone } from "../../workbook/gone-sheets";
import { estimateTemplate } from "../../workbook/templates/estimate";
import { ActionStatus, useAction } from "../parts/action";
import { Buttons, Message, Section } from "../parts/parts";
import { usesWords } from "../parts/words";
import type { PaneServices } from "../services";
import { TemplatePicture } from "./template-picture";
import { useChanges, useLoaded } from "../parts/use-observable";
import { type Given, nothingGiven, RowsGiven, rowsOrWait } from "../rows/rows-given";

export function TemplateForm(props: {
  services: PaneServices;
  connection: ConnectionState;
  workbook: Workbook;
  template: Template;
  onBack: () => void;
}) {
  const { services, connection, workbook, template } = props;
  const [given, setGiven] = useState<Given>(nothingGiven);
  const [columns, setColumns] = useState<ReadonlySet<string>>(new Set());
  const building = useAction();
  const { needs } = template;
  const { rows, waitsFor } = useMemo(() => rowsOrWait(needs, given), [needs, given]);
  const { environment } = connection;
  // In another environment, the same rows cost something else.
  const choice = useMemo<TemplateChoice>(
    () => ({ template, rows, columns, names: rows.names }),
    [template, rows, columns, environment?.id],
  );
  const [built, setBuilt] = useState<TemplateChoice | null>(null);
  const extra = template.table?.columns.filter(({ optional }) => optional === true) ?? [];
  const isForAnother = (template.environment ?? environment?.id) !== environment?.id;
  const isReady = waitsFor === null && (rows.pairs.length > 0 || !needsFacts[needs].takesRows);
  const isBuilt = building.result?.error === null && built === choice;

  const latestCost = useLoaded(isReady ? () => costOf(services, workbook, choice) : null, [
    choice,
    building.result,
  ]);
  /** A cost that was counted for another choice is none of this one. */
  const cost = latestCost.value?.choice === choice ? latestCost.value : null;

  // What was built says nothing about another choice.
  useEffect(() => building.clear(), [given, columns]);

  function build(): void {
    building.run(async () => {
      const approve = (): void => {
        if (cost !== null) services.engine.approveSpending();
      };
      // The person saw the price before the click. A large sheet gets its formulas later.
      approve();
      const name = await buildTemplate(workbook, choice);
      approve();
      setBuilt(choice);
      return { text: `The sheet "${name}" is built.`, onPassed: whenGone(workbook, [name]) };
    }, "Building…");
  }

  return (
    <Section title={template.title}>
      <Buttons quiet actions={{ "All templates": props.onBack }} />
      <div class="template-head">
        <TemplatePicture template={template} />
        <p>{template.summary}</p>
      </div>
      <RowsGiven
        services={services}
        connection={connection}
        workbook={workbook}
        use={needs}
        given={given}
        rows={rows}
        onGiven={(change) => setGiven((now) => ({ ...now, ...change }))}
      />
      {extra.length === 0 ? null : (
        <fieldset class="choice">
          <legend>Columns that use more requests</legend>
          {extra.map(({ id, header }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={columns.has(id)}
                onChange={() => setColumns(toggled(columns, id))}
              />
              <span>{header}</span>
            </label>
          ))}
        </fieldset>
      )}
      <div role="status">
        {waitsFor !== null ? <p class="price">{waitsFor}</p> : null}
        {isForAnother ? (
          <Message intent="warning">
            This template was made for the environment “{template.environment}”. Do you want to build it with
            values of {environment?.label ?? "another one"}?
          </Message>
        ) : null}
      </div>
      <ActionStatus action={building} />
      {isBuilt ? <Waiting services={services} /> : null}
      <Buttons
        primary
        disabled={!isReady}
        isBusy={building.busyText !== null}
        actions={{
          [isForAnother ? `Build with ${environment?.label ?? "another one"}` : "Build the sheet"]: build,
        }}
      />
      {/* After the button, which would move while a person presses it. */}
      <div role="status">
        {isReady && !isBuilt ? <Cost services={services} cost={cost} error={latestCost.error} /> : null}
      </div>
    </Section>
  );
}

function Waiting({ services: { cells } }: { services: PaneServices }) {
  useChanges(cells.subscribe);
  const { waiting } = cells.summary();
  if (waiting === 0) return null;
  return (
    <p role="status">
      {counted(waiting, "cell")} still {waiting === 1 ? "waits" : "wait"} for a value.
    </p>
  );
}

async function costOf(
  services: PaneServices,
  workbook: Workbook,
  choice: TemplateChoice,
): Promise<BuildCost & { readonly choice: TemplateChoice }> {
  const { engine, clock, functionPreview: functions } = services;
  const { isFresh } = engine;
  const { work, ...cost } = await estimateTemplate(choice, { workbook, functions, clock, isFresh });
  return { ...cost, choice, price: engine.price(work), atMostWhole: work.atMostWhole ?? 0 };
}

function toggled(columns: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(columns);
  if (!next.delete(id)) next.add(id);
  return next;
}

/**
 * What the template costs before it is built, and a warning if the workbook doesn't calculate all of its cells. Null until it is
 * counted.
 */
function Cost(props: { services: PaneServices; cost: BuildCost | null; error: InvError | null }) {
  const { cost, error } = props;
  const { engine, clock } = props.services;
  if (error !== null) return <Message intent="warning">{error.message}</Message>;
  if (cost === null) return <p class="price">Counting the requests…</p>;
  const { limit } = engine.progress().quota.search;
  return (
    <>
      <p class="price">{usesWords(cost.price, { ...cost, limit, nowMs: clock.now() })}</p>
      {cost.tooMany === null ? null : <Message intent="warning">{tooManyWords(cost.tooMany)}</Message>}
    </>
  );
}
