/**
 * Insert: a formula built from pickers, seen before it is written. What it shows for the first row and what all
 * rows cost is the model's (`workbook/insert`); here are the pickers and the words.
 */
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { areaAddress } from "../../workbook/addresses";
import {
  type DescribedFunction,
  functionsListPath,
  readFunctionsList,
} from "../../workbook/insert/functions-list";
import { createInsert, type Plan } from "../../workbook/insert/insert";
import type { Pick, Picks } from "../../workbook/insert/picks";
import { putFormula } from "../../workbook/insert/put";
import { absoluteAddress } from "../../formula/references";
import { selectedAreas } from "../../workbook/selected-areas";
import { Button, type Intent, Message, Section, Select } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useAlive, useLoaded } from "../parts/use-source";
import { count, counted } from "../parts/words";
import { ArgumentPicker } from "./argument-picker";
import { InsertPreview } from "./insert-preview";

export function InsertView(props: ViewProps) {
  const { readJson } = props.services;
  const functions = useLoaded(async () => readFunctionsList(await readJson(functionsListPath)), [readJson]);
  if (functions.error !== null) {
    return (
      <div role="alert">
        <Message intent="error" actions={<Button onClick={functions.again}>Try again</Button>}>
          {functions.error.message}
        </Message>
      </div>
    );
  }
  if (functions.value === null) return <p role="status">Reading the functions…</p>;
  return <InsertForm {...props} functions={functions.value} />;
}

type Told =
  | { readonly kind: "told"; readonly intent: Intent; readonly words: string }
  | { readonly kind: "putting" }
  | { readonly kind: "occupied"; readonly plan: Plan; readonly cells: number }
  | null;

function InsertForm(props: ViewProps & { readonly functions: readonly DescribedFunction[] }) {
  const { services, workbook, functions, active } = props;
  const { engine, clock, previewFunction } = services;
  const insert = useMemo(
    () => createInsert({ workbook, engine, clock, preview: previewFunction }),
    [workbook, engine, clock, previewFunction],
  );
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const [id, setId] = useState(functions[0]?.id ?? "");
  const [picks, setPicks] = useState<Picks>({});
  const [fillDown, setFillDown] = useState(true);
  const [told, setTold] = useState<Told>(null);
  const alive = useAlive();
  const described = functions.find((each) => each.id === id);
  useEffect(() => (active ? insert.follow(() => draw(undefined)) : undefined), [insert, active]);
  useEffect(() => {
    setTold(null);
    if (described) insert.choose({ described, picks, fillDown });
  }, [insert, described, picks, fillDown]);
  if (!described) return null;
  const state = insert.state();
  const { plan, list } = state;

  function pickFor(name: string, pick: Pick): void {
    setPicks((all) => ({ ...all, [name]: pick }));
  }
  async function put(of: Plan, overwrite: boolean): Promise<void> {
    setTold({ kind: "putting" });
    const end = await putFormula(workbook, { ...of, overwrite }).then(
      (done): Told =>
        done.kind === "occupied"
          ? { kind: "occupied", plan: of, cells: done.cells }
          : { kind: "told", intent: "success", words: putWords(of) },
      (error: unknown): Told => ({ kind: "told", intent: "error", words: toInvError(error).message }),
    );
    if (!alive.current) return;
    setTold(end);
    insert.lookAgain();
  }
  const takeCell = async (): Promise<string> => {
    const [{ sheet, row, col }] = await selectedAreas(workbook, clock);
    return absoluteAddress({ sheet, row, col }, plan?.area.sheet ?? list?.sheet ?? sheet);
  };

  return (
    <>
      <Section title="Insert a formula">
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
            savedLists={state.savedLists}
            pick={state.picks[argument.name] ?? { kind: "left-out" }}
            onPick={(pick) => pickFor(argument.name, pick)}
            takeCell={takeCell}
            onFailed={(words) => setTold({ kind: "told", intent: "error", words })}
          />
        ))}
      </Section>
      <Section title="Before it is written">
        {plan && (plan.fillRows > 1 || !fillDown) ? (
          <label class="check">
            <input
              type="checkbox"
              checked={fillDown}
              onChange={(event) => setFillDown(event.currentTarget.checked)}
            />
            <span>Fill down beside the list, {counted(plan.fillRows, "row")}</span>
          </label>
        ) : null}
        <InsertPreview {...props} state={state} onAsk={() => insert.ask()} />
        {plan === null ? null : (
          <div class="buttons">
            <Button primary disabled={told?.kind === "putting"} onClick={() => void put(plan, false)}>
              Put it into {areaAddress(plan.area)}
            </Button>
          </div>
        )}
        <div role="status">
          {told?.kind === "putting" ? <p>Writing…</p> : null}
          {told?.kind === "told" ? <Message intent={told.intent}>{told.words}</Message> : null}
          {told?.kind === "occupied" ? (
            <Message
              intent="warning"
              actions={
                <>
                  <Button quiet onClick={() => void put(told.plan, true)}>
                    Overwrite {counted(told.cells, "cell")}
                  </Button>
                  <Button quiet onClick={() => setTold(null)}>
                    Leave them
                  </Button>
                </>
              }
            >
              {count(told.cells)} of the cells in {areaAddress(told.plan.area)} hold something. Nothing was
              written.
            </Message>
          ) : null}
        </div>
      </Section>
    </>
  );
}

function putWords({ area }: Plan): string {
  return `Written into ${areaAddress(area)}; press Ctrl+Z to undo. Values appear as they are calculated.`;
}
