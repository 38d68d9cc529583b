/**
 * One template: whose rows it takes, what is wrong with them, which extra columns are on, what it costs, and
 * the button that builds it. Everything is told before a call is made.
 */
import { useMemo, useState } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import { demoDataPath, type Environment, isEmbedded } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import type { Template } from "../../domain/templates/template";
import type { Workbook } from "../../workbook/port";
import { buildTemplate } from "../../workbook/templates/build";
import { demoRows, readDemoData } from "../../workbook/templates/demo-data";
import { noRows, type TemplateRows } from "../../workbook/templates/fill";
import { cellsOfText, type GivenCells, type GivenRows, readRows } from "../../workbook/templates/rows";
import { rowsOfSelection } from "../../workbook/templates/selected-rows";
import { workOfTemplate } from "../../workbook/templates/work";
import { Button, Field, Message, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { ListPickers, type PickedLists, noLists } from "./list-pickers";
import { TemplatePicture } from "./template-picture";
import { ToldRows } from "./told-rows";
import { useAlive, useChanges } from "../parts/use-source";
import { counted, requestWords, untilWords } from "../parts/words";

interface FormProps {
  services: PaneServices;
  connection: ConnectionState;
  workbook: Workbook;
  template: Template;
  onBack: () => void;
}

type Outcome =
  { readonly built: string } | { readonly intent: "error"; readonly text: string } | "building" | null;

export function TemplateForm({ services, connection, workbook, template, onBack }: FormProps) {
  const [text, setText] = useState("");
  /** Of a grid only: its items have a box of their own. */
  const [itemText, setItemText] = useState("");
  const [lists, setLists] = useState<PickedLists>(noLists);
  const [taken, setTaken] = useState<GivenRows | null>(null);
  const [columns, setColumns] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<Outcome>(null);
  const alive = useAlive();
  const isGrid = template.needs === "grid";
  const typed = useMemo(
    () => readGiven([...lists.cells, ...[text, isGrid ? itemText : ""].filter(isFilled).map(cellsOfText)]),
    [lists, text, itemText, isGrid],
  );
  const rows: TemplateRows = taken ?? typed ?? noRows;
  const choice = { template, rows, columns };
  const extra = template.table?.columns.filter(({ optional }) => optional === true) ?? [];
  const { environment } = connection;
  const isForAnother = (template.environment ?? environment?.id) !== environment?.id;
  const isReady = template.needs === "nothing" || rows.pairs.length > 0;

  async function take(work: () => Promise<GivenRows>): Promise<void> {
    setOutcome(null);
    try {
      const found = await work();
      if (!alive.current) return;
      setText("");
      setItemText("");
      setLists(noLists);
      setTaken(found);
    } catch (error) {
      if (alive.current) setOutcome({ intent: "error", text: toInvError(error).message });
    }
  }

  const typing = (set: (value: string) => void) => (value: string) => {
    setTaken(null);
    // Pairs have no place beside lists, which are crossed.
    if (!isGrid) setLists(noLists);
    set(value);
  };

  function pickLists(picked: PickedLists): void {
    setTaken(null);
    if (!isGrid) setText("");
    setLists(picked);
  }

  async function build(): Promise<void> {
    setOutcome("building");
    const told = await buildTemplate(workbook, choice).then(
      (sheet): Outcome => ({ built: sheet }),
      (error: unknown): Outcome => ({ intent: "error", text: toInvError(error).message }),
    );
    if (alive.current) setOutcome(told);
  }

  return (
    <Section title={template.title}>
      <div class="buttons">
        <Button quiet onClick={onBack}>
          All templates
        </Button>
      </div>
      <div class="template-head">
        <TemplatePicture template={template} />
        <p>{template.summary}</p>
      </div>
      {template.needs === "nothing" ? null : (
        <>
          <div class="buttons">
            <Button onClick={() => void take(() => rowsOfSelection(workbook, services.clock))}>
              Take the selected cells
            </Button>
            {environment !== null && isEmbedded(environment) ? (
              <Button onClick={() => void take(() => demoGiven(services, environment))}>
                Take the {environment.kind}'s
              </Button>
            ) : null}
          </div>
          <ListPickers workbook={workbook} picked={lists} onPick={pickLists} />
          {isGrid ? (
            <>
              <Box
                id="inv-template-stores"
                label="Or type or paste the stores, one in a line"
                value={text}
                onValue={typing(setText)}
              />
              <Box
                id="inv-template-items"
                label="And the GTINs, one in a line: every store is crossed with every GTIN"
                value={itemText}
                onValue={typing(setItemText)}
              />
            </>
          ) : (
            <Box
              id="inv-template-rows"
              label="Or type or paste them: store and GTIN, one pair in a line"
              value={text}
              onValue={typing(setText)}
            />
          )}
          <RowsFound template={template} rows={taken ?? typed} isSelected={taken !== null} />
        </>
      )}
      {extra.length === 0 ? null : (
        <fieldset class="choice">
          <legend>Columns that cost calls of their own</legend>
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
        <p class="price">{priceOf(services, isReady, choice)}</p>
        {isForAnother ? (
          <Message intent="warning">
            This template is made for the environment “{template.environment}”. Build it with values of{" "}
            {environment?.label ?? "another one"}?
          </Message>
        ) : null}
        {typeof outcome !== "object" || outcome === null ? null : "built" in outcome ? (
          <Built services={services} sheet={outcome.built} />
        ) : (
          <Message intent={outcome.intent}>{outcome.text}</Message>
        )}
      </div>
      <div class="buttons">
        <Button primary disabled={!isReady || outcome === "building"} onClick={() => void build()}>
          {outcome === "building"
            ? "Building…"
            : isForAnother
              ? `Build with ${environment?.label ?? "another one"}`
              : "Build the sheet"}
        </Button>
      </div>
    </Section>
  );
}

/** Says that values are on their way for as long as they are. */
function Built({ services: { cells }, sheet }: { services: PaneServices; sheet: string }) {
  useChanges(cells.subscribe);
  const { waiting } = cells.summary();
  return (
    <Message intent="success">
      The sheet "{sheet}" is built{waiting > 0 ? `; ${counted(waiting, "cell")} still wait for values` : ""}.
    </Message>
  );
}

interface RowsFoundProps {
  readonly template: Template;
  readonly rows: GivenRows | null;
  readonly isSelected: boolean;
}

function RowsFound({ template, rows, isSelected }: RowsFoundProps) {
  if (rows === null) return null;
  const { pairs, stores, items, bad, repeated } = rows;
  const [first] = pairs;
  const lacking = (what: string): string => {
    if (isSelected) return "select both, with Ctrl for two places.";
    return template.needs === "grid"
      ? `give the ${what} too.`
      : "give both, a store and a GTIN in each line.";
  };
  const found =
    first === undefined
      ? stores.length > 0
        ? `${counted(stores.length, "store")}, but no GTINs: ${lacking("GTINs")}`
        : items.length > 0
          ? `${counted(items.length, "GTIN")}, but no stores: ${lacking("stores")}`
          : "No stores and GTINs found."
      : template.needs === "grid"
        ? `${counted(stores.length, "store")} by ${counted(items.length, "GTIN")}.`
        : template.needs === "pair"
          ? `Store ${first.store}, GTIN ${first.item}${pairs.length > 1 ? " (the first of several)" : ""}.`
          : `${counted(pairs.length, "row")} of store and GTIN.`;
  return (
    <div role="status">
      <p>
        {found}
        {repeated > 0 ? ` ${counted(repeated, "repeated row")} left out.` : ""}
      </p>
      {bad.length === 0 ? null : (
        <Message intent="warning">
          {counted(bad.length, "row")} left out:
          <ToldRows rows={bad} />
        </Message>
      )}
    </div>
  );
}

function priceOf(
  services: PaneServices,
  isReady: boolean,
  choice: Parameters<typeof workOfTemplate>[0],
): string {
  if (!isReady) return "Add rows to see the cost.";
  const { engine, clock } = services;
  const nowMs = clock.now();
  const work = workOfTemplate(choice, { nowMs, isFresh: engine.isFresh });
  if (work.items.length + work.histories.length === 0) {
    const all = workOfTemplate(choice, { nowMs, isFresh: () => false });
    return all.items.length + all.histories.length === 0
      ? "The cost can't be estimated. It uses only a few requests."
      : "Uses no request: INV has all its values.";
  }
  const price = engine.price(work);
  const { limit } = engine.progress().quota.search;
  return `Uses ${requestWords(price, limit)}, ${untilWords(price.durationMs, nowMs)}.`;
}

async function demoGiven({ readJson }: PaneServices, environment: Environment): Promise<GivenRows> {
  return { ...demoRows(readDemoData(await readJson(demoDataPath(environment)))), bad: [], repeated: 0 };
}

/** Null where nothing is given. Boxes with one value in a line are stores or items, which then go all with all. */
function readGiven(given: readonly GivenCells[]): GivenRows | null {
  return given.length === 0 ? null : readRows(given);
}

function isFilled(text: string): boolean {
  return text.trim() !== "";
}

interface BoxProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Box({ id, label, value, onValue }: BoxProps) {
  return (
    <Field id={id} label={label}>
      <textarea
        id={id}
        class="control"
        rows={4}
        spellcheck={false}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Field>
  );
}

function toggled(columns: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(columns);
  if (!next.delete(id)) next.add(id);
  return next;
}
