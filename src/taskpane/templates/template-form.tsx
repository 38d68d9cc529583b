/**
 * One template: its rows and what is wrong with them, its optional columns, its cost, and the button that builds it. Shows all
 * of that before INV sends a request.
 */
import { useMemo, useState, useEffect, useRef } from "preact/hooks";
import type { ConnectionState } from "../../connection/types";
import { demoDataPath, type Environment, isEmbedded } from "../../domain/environment";
import type { Template } from "../../domain/templates/template";
import type { BuildCost } from "../../workbook/build-cost";
import type { Workbook } from "../../workbook/port";
import { readNamesBeside, type ListKind, readEntries, readLists } from "../../workbook/templates/lists";
import { buildTemplate } from "../../workbook/templates/build";
import { demoRows, readDemoData } from "../../workbook/templates/demo-data";
import { noRows, type TemplateChoice, type TemplateRows } from "../../workbook/templates/fill";
import {
  cellsOfText,
  type GivenCells,
  type GivenRows,
  readRows,
  rowsOfSelection,
} from "../../workbook/templates/rows";
import { estimateTemplate } from "../../workbook/templates/estimate";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { Field, Select } from "../parts/fields";
import { Buttons, Message, Rows, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { TemplatePicture } from "./template-picture";
import { useChanges, useLoaded } from "../parts/use-source";
import { counted } from "../../domain/number-words";
import { unawaited } from "../../domain/unawaited";
import { Cost } from "./cost";

interface PickedLists {
  /** The picked list of each kind, as a formula spells it; "" if none is picked. */
  readonly texts: Readonly<Record<ListKind, string>>;
  readonly cells: readonly GivenCells[];
}

const noLists: PickedLists = { texts: { stores: "", items: "" }, cells: [] };

/** What a person has given as rows. Selected cells replace what was typed or picked, and the other way round. */
interface Given {
  readonly selected: GivenRows | null;
  readonly lists: PickedLists;
  readonly text: string;
  /** Used only by grids, whose items have a text box of their own. */
  readonly itemText: string;
}

const nothingGiven: Given = { selected: null, lists: noLists, text: "", itemText: "" };

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
  const isGrid = template.needs === "grid";
  const found = useMemo(() => rowsIn(given, isGrid), [given, isGrid]);
  const rows: TemplateRows = found ?? noRows;
  const choice: TemplateChoice = { template, rows, columns };
  const extra = template.table?.columns.filter(({ optional }) => optional === true) ?? [];
  const { environment } = connection;
  const isForAnother = (template.environment ?? environment?.id) !== environment?.id;
  const isReady = template.needs === "nothing" || rows.pairs.length > 0;
  const isBuilt = building.result?.error === null;

  const cost = useLoaded(isReady ? () => costOf(services, workbook, choice) : null, [
    ...[template, found, columns, environment?.id, building.result],
  ]);

  // What was built says nothing about another choice.
  useEffect(() => building.clear(), [given, columns]);

  async function choose(reading: Promise<GivenRows>): Promise<null> {
    setGiven({ ...nothingGiven, selected: await reading });
    return null;
  }

  function type(typed: Partial<Given>): void {
    // Typed rows are pairs of store and item, whereas lists are crossed; the two can't be combined.
    setGiven({ ...given, ...(isGrid ? {} : { lists: noLists }), ...typed, selected: null });
  }

  function pickLists(lists: PickedLists): void {
    setGiven((now) => ({ ...now, ...(isGrid ? {} : { text: "" }), lists, selected: null }));
  }

  function build(): void {
    building.run(async () => {
      // Names are a convenience: a workbook whose lists can't be read gets the sheet without them.
      const names = await readNamesBeside(workbook).catch(() => new Map<string, string>());
      return `The sheet "${await buildTemplate(workbook, { ...choice, names })}" is built.`;
    }, "Building…");
  }

  return (
    <Section title={template.title}>
      <Buttons quiet actions={{ "All templates": props.onBack }} />
      <div class="template-head">
        <TemplatePicture template={template} />
        <p>{template.summary}</p>
      </div>
      {template.needs === "nothing" ? null : (
        <>
          <WorkButtons
            actions={{
              "Use the selected cells": () => choose(rowsOfSelection(workbook, services.clock)),
              "Use sample rows":
                environment !== null && isEmbedded(environment)
                  ? () => choose(demoGiven(services, environment))
                  : null,
            }}
          />
          <ListPickers workbook={workbook} picked={given.lists} onPick={pickLists} />
          {isGrid ? (
            <>
              <Box
                id="inv-template-stores"
                label="Or type or paste the stores, one in a line"
                value={given.text}
                onValue={(text) => type({ text })}
              />
              <Box
                id="inv-template-items"
                label="And the GTINs, one in a line: every store is crossed with every GTIN"
                value={given.itemText}
                onValue={(itemText) => type({ itemText })}
              />
            </>
          ) : (
            <Box
              id="inv-template-rows"
              label="Or type or paste them: store and GTIN, one pair in a line"
              value={given.text}
              onValue={(text) => type({ text })}
            />
          )}
          <RowsFound template={template} rows={found} isSelected={given.selected !== null} />
        </>
      )}
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
        {!isReady ? <p class="price">Add rows to see the cost.</p> : null}
        {isReady && !isBuilt && cost.value !== null ? <Cost services={services} cost={cost.value} /> : null}
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
    </Section>
  );
}

/** Returns null if nothing is given. */
function rowsIn({ selected, lists, text, itemText }: Given, isGrid: boolean): GivenRows | null {
  if (selected !== null) return selected;
  const boxes = [text, isGrid ? itemText : ""].filter((box) => box.trim() !== "");
  const given = [...lists.cells, ...boxes.map(cellsOfText)];
  return given.length === 0 ? null : readRows(given);
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

function RowsFound(props: { template: Template; rows: GivenRows | null; isSelected: boolean }) {
  const { template, rows, isSelected } = props;
  if (rows === null) return null;
  const { pairs, stores, items, repeated } = rows;
  const bad = template.needs === "grid" ? rows.bad : [...rows.bad, ...rows.alone];
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
        <>
          <Message intent="warning">{counted(bad.length, "row")} left out:</Message>
          <Rows
            label="Rows left out"
            isText
            all={bad.length}
            rows={bad
              .slice(0, mostReasons)
              .map(({ row, reason }) => ({ key: String(row), line: `Row ${row}: ${reason}` }))}
          />
        </>
      )}
    </div>
  );
}

const mostReasons = 5;

async function costOf(
  services: PaneServices,
  workbook: Workbook,
  choice: TemplateChoice,
): Promise<BuildCost> {
  const { engine, clock, functionPreview: functions } = services;
  const { isFresh } = engine;
  const { work, ...cost } = await estimateTemplate(choice, { workbook, functions, clock, isFresh });
  return { ...cost, price: engine.price(work), atMostWhole: work.atMostWhole ?? 0 };
}

async function demoGiven({ readJson }: PaneServices, environment: Environment): Promise<GivenRows> {
  return {
    ...demoRows(readDemoData(await readJson(demoDataPath(environment)))),
    bad: [],
    repeated: 0,
    alone: [],
  };
}

function Box(props: { id: string; label: string; value: string; onValue: (value: string) => void }) {
  const { id, label, value, onValue } = props;
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

const labels = { stores: "Stores of a list", items: "GTINs of a list" } as const;
const kinds = ["stores", "items"] as const;

/** Lists of the workbook as rows: one for stores, one for items. Empty if the workbook has no lists. */
function ListPickers(props: {
  readonly workbook: Workbook;
  readonly picked: PickedLists;
  readonly onPick: (picked: PickedLists) => void;
}) {
  const { workbook, picked, onPick } = props;
  // If the workbook's names can't be read, the form offers no list.
  const lists = useLoaded(() => readLists(workbook), [workbook]).value ?? [];

  /** The latest choice, while a list is still being read. */
  const wanted = useRef(picked.texts);
  useEffect(() => void (wanted.current = picked.texts), [picked]);

  async function pick(kind: ListKind, text: string): Promise<void> {
    const texts = { ...wanted.current, [kind]: text };
    wanted.current = texts;
    const cells: GivenCells[] = [];
    for (const each of kinds) {
      const read = texts[each] === "" ? null : await readEntries(workbook, texts[each]).catch(() => null);
      if (read) cells.push({ firstRow: read.area.row + 1, cells: read.entries.map((entry) => [entry]) });
    }
    if (wanted.current === texts) onPick({ texts, cells });
  }

  return (
    <>
      {kinds.map((kind) => {
        const own = lists.filter((list) => list.kind === kind);
        if (own.length === 0) return null;
        return (
          <Select
            key={kind}
            id={`inv-template-list-${kind}`}
            label={labels[kind]}
            value={picked.texts[kind]}
            options={[{ value: "", label: "None" }, ...own.map(({ text }) => ({ value: text, label: text }))]}
            onChange={(text) => unawaited(pick(kind, text))}
          />
        );
      })}
    </>
  );
}
