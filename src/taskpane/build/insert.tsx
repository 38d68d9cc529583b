/** Insert: a formula built from pickers, with its cost before it is written. `workbook/insert` is the model. */
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { areaAddress } from "../../workbook/addresses";
import {
  type DescribedFunction,
  functionsListPath,
  readFunctionsList,
} from "../../workbook/insert/functions-list";
import { createInsert, type InsertState, type Plan } from "../../workbook/insert/insert";
import type { Pick, Picks } from "../../workbook/insert/picks";
import { putFormula } from "../../workbook/insert/put";
import { absoluteAddress } from "../../formula/references";
import { selectedAreas } from "../../workbook/selected-areas";
import { ActionStatus, useAction } from "../parts/action";
import { CheckBox, Select } from "../parts/fields";
import { Failure, LoadStatus } from "../parts/load-status";
import { Buttons, Message, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-source";
import { counted } from "../../domain/number-words";
import { overwrittenWords } from "../parts/words";
import type { PaneServices } from "../services";
import { ArgumentPicker } from "./argument-picker";
import { Cost } from "./cost";

export function InsertView(props: ViewProps) {
  const { readJson } = props.services;
  const functions = useLoaded(async () => readFunctionsList(await readJson(functionsListPath)), [readJson]);
  if (functions.value === null) return <LoadStatus loaded={functions} busyText="Reading the functions…" />;
  return <InsertForm {...props} functions={functions.value} />;
}

function InsertForm(props: ViewProps & { readonly functions: readonly DescribedFunction[] }) {
  const { services, workbook, functions, active } = props;
  const { engine, clock, functionPreview } = services;
  const insert = useMemo(
    () => createInsert({ workbook, engine, clock, functions: functionPreview }),
    [workbook, engine, clock, functionPreview],
  );
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const [id, setId] = useState(functions[0]?.id ?? "");
  const [picks, setPicks] = useState<Picks>({});
  const [fillDown, setFillDown] = useState(true);
  const [occupied, setOccupied] = useState<{ readonly plan: Plan; readonly cells: number } | null>(null);
  const putting = useAction();
  const described = functions.find((each) => each.id === id);
  useEffect(() => (active ? insert.follow(() => draw(undefined)) : undefined), [insert, active]);
  useEffect(() => {
    putting.clear();
    setOccupied(null);
    if (described) insert.choose({ described, picks, fillDown });
  }, [insert, described, picks, fillDown]);
  if (!described) return null;
  const state = insert.state();
  const { plan, list } = state;

  function pickFor(name: string, pick: Pick): void {
    setPicks((all) => ({ ...all, [name]: pick }));
  }
  function put(of: Plan, overwrite: boolean): void {
    setOccupied(null);
    putting.run(async () => {
      const done = await putFormula(workbook, { ...of, overwrite }).finally(() => insert.lookAgain());
      if (done.kind === "put") return putWords(of);
      if (done.kind === "edited") {
        return `Somebody edited these cells meanwhile. INV wrote ${counted(done.cells, "formula")}.${overwrittenWords(done.overwritten)}`;
      }
      setOccupied({ plan: of, cells: done.cells });
      return null;
    }, "Writing…");
  }
  const takeCell = async (): Promise<string> => {
    const [{ sheet, row, col }] = await selectedAreas(workbook, clock);
    return absoluteAddress({ sheet, row, col }, plan?.area.sheet ?? list?.sheet ?? sheet);
  };

  return (
    <>
      <Section>
        <Select
          id="inv-insert-function"
          label="Function"
          value={id}
          options={functions.map((each) => ({ value: each.id, label: each.name }))}
          onChange={setId}
          hint={described.description}
        />
        {described.arguments.map((argument) => (
          <ArgumentPicker
            key={argument.name}
            argument={argument}
            list={list}
            cellLists={state.cellLists}
            pick={state.picks[argument.name] ?? { kind: "left-out" }}
            onPick={(pick) => pickFor(argument.name, pick)}
            takeCell={takeCell}
          />
        ))}
      </Section>
      <Section title="Formula">
        {plan && (plan.fillRows > 1 || !fillDown) ? (
          <CheckBox
            label={`Fill down beside the list, ${counted(plan.fillRows, "row")}`}
            checked={fillDown}
            onChange={setFillDown}
          />
        ) : null}
        <Planned services={services} state={state} />
        {plan === null ? null : (
          <Buttons
            primary
            isBusy={putting.busyText !== null}
            actions={{ [`Insert into ${areaAddress(plan.area)}`]: () => put(plan, false) }}
          />
        )}
        <ActionStatus action={putting} />
        <div role="status">
          {occupied === null ? null : (
            <Message
              intent="warning"
              actions={{
                [`Overwrite ${counted(occupied.cells, "cell")}`]: () => put(occupied.plan, true),
                "Leave them": () => setOccupied(null),
              }}
            >
              {areaAddress(occupied.plan.area)} contains {counted(occupied.cells, "filled cell")}. INV wrote
              nothing.
            </Message>
          )}
        </div>
      </Section>
    </>
  );
}

function Planned({ services, state }: { services: PaneServices; state: InsertState }) {
  const { plan, lacks, cost, failed } = state;
  return (
    <>
      {plan === null ? (
        <p role="status">{lacks ?? (failed === null ? "Reading the sheet…" : "")}</p>
      ) : (
        <>
          <p class="formula">
            <code>{plan.formula}</code>
          </p>
          <div role="status">{cost === null ? null : <Cost services={services} cost={cost} />}</div>
        </>
      )}
      <Failure error={failed} />
    </>
  );
}

function putWords({ area }: Plan): string {
  return `Written into ${areaAddress(area)}. Press Ctrl+Z to undo. Values appear as they are calculated.`;
}
