/**
 * The frozen formulas of the workbook: how many for each sheet and each session that froze there, which of them can't
 * be restored and why, and dropping them, one by one or all, after a question. Reads again after a freeze or a thaw.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { areaAddress, functionAddress } from "../../workbook/addresses";
import type { Freezer, FrozenLine } from "../../workbook/frozen-formulas/freezer-types";
import { CellRows } from "../parts/cell-rows";
import { Button, Message } from "../parts/parts";
import { useLoaded } from "../parts/use-source";
import type { PaneServices } from "../services";
import { count, counted, timeOfDay } from "../parts/words";

type Lines = readonly FrozenLine[];

export function FrozenFormulas({
  services,
  freezer,
  revision,
}: {
  services: PaneServices;
  freezer: Freezer;
  /** Another each time that something was frozen or thawed. */
  revision: unknown;
}) {
  const lines = useLoaded(() => freezer.lines(), [freezer, revision]);
  const [asked, setAsked] = useState<Lines | null>(null);
  const [told, setTold] = useState<string | null>(null);
  useEffect(() => setAsked(null), [lines.value]);

  function ask(those: Lines): void {
    setTold(null);
    setAsked(those);
  }

  function drop(those: Lines): void {
    setAsked(null);
    freezer
      .forget(those.map(({ id }) => id))
      .then(
        (dropped) => setTold(`${counted(dropped, "formula")} dropped.`),
        (error: unknown) => setTold(toInvError(error).message),
      )
      .finally(lines.again);
  }

  if (lines.value === null && lines.error === null) return <p role="status">Looking…</p>;
  return (
    <>
      <div role="status">{told === null ? null : <Message intent="info">{told}</Message>}</div>
      {lines.error === null ? null : (
        <Message intent="error" actions={<Button onClick={lines.again}>Look again</Button>}>
          {lines.error.message}
        </Message>
      )}
      {lines.value === null || lines.error !== null ? null : (
        <Found services={services} lines={lines.value} onDrop={ask} />
      )}
      {asked === null ? null : (
        <DropQuestion lines={asked} onDrop={() => drop(asked)} onKeep={() => setAsked(null)} />
      )}
    </>
  );
}

interface FoundProps {
  services: PaneServices;
  lines: Lines;
  onDrop: (lines: Lines) => void;
}

function Found({ services, lines, onDrop }: FoundProps) {
  const refused = lines.filter(({ refusal }) => refusal !== null);
  if (lines.length === 0) return <p class="hint">Nothing is frozen in this workbook.</p>;
  return (
    <>
      <p class="hint">
        {counted(lines.length, "formula")}
        {outlook(lines.length, refused.length)}
      </p>
      {groupsOf(lines).map((group) => (
        <Group key={`${group.sheet}\n${group.writer}`} services={services} group={group} onDrop={onDrop} />
      ))}
      <div class="buttons">
        {refused.length < 2 || refused.length === lines.length ? null : (
          <Button quiet onClick={() => onDrop(refused)}>
            Drop what cannot be put back ({count(refused.length)})
          </Button>
        )}
        <Button quiet onClick={() => onDrop(lines)}>
          Drop all ({count(lines.length)})
        </Button>
      </div>
    </>
  );
}

function outlook(lines: number, refused: number): string {
  if (refused === 0) return "; a thaw puts all of them back.";
  if (refused === lines) return "; none can be put back as things stand.";
  return `, ${count(refused)} of which cannot be put back as things stand.`;
}

interface LineGroup {
  readonly sheet: string;
  readonly writer: string;
  readonly lines: FrozenLine[];
}

function groupsOf(lines: Lines): readonly LineGroup[] {
  const groups = new Map<string, LineGroup>();
  for (const line of lines) {
    const { cell, writer } = line;
    const key = `${cell.sheet}\n${writer}`;
    const group = groups.get(key) ?? { sheet: cell.sheet, writer, lines: [] };
    groups.set(key, group);
    group.lines.push(line);
  }
  return [...groups.values()];
}

interface GroupProps {
  services: PaneServices;
  group: LineGroup;
  onDrop: (lines: Lines) => void;
}

function Group({ services, group: { sheet, writer, lines }, onDrop }: GroupProps) {
  const refused = lines.filter(({ refusal }) => refusal !== null);
  const last = lines.reduce((latest, { writtenAt }) => (writtenAt > latest ? writtenAt : latest), "");
  const when = last === "" ? "" : `, last frozen ${timeOfDay(Date.parse(last), services.clock.now())}`;
  return (
    <section class="frozen-group">
      <h3>{sheet}</h3>
      <p class="hint">
        {counted(lines.length, "formula")}
        {when}, in the hidden sheet {writer}.
      </p>
      {refused.length === 0 ? null : (
        <CellRows
          services={services}
          items={refused}
          row={(line) => {
            const { cell, isThere, formula, refusal, id } = line;
            const address = areaAddress({ ...cell, rows: 1, cols: 1 });
            return {
              key: id,
              address: isThere ? functionAddress(cell.sheet, address) : null,
              label: address,
              words: <code>{formula}</code>,
              action: (
                <Button quiet onClick={() => onDrop([line])}>
                  Drop {address}
                </Button>
              ),
              detail: `${refusal ?? ""}.`,
            };
          }}
        />
      )}
    </section>
  );
}

interface DropQuestionProps {
  lines: Lines;
  onDrop: () => void;
  onKeep: () => void;
}

function DropQuestion({ lines, onDrop, onKeep }: DropQuestionProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [lines]);
  const [only] = lines;
  const what = lines.length === 1 && only ? `the formula ${only.formula}` : `${count(lines.length)} formulas`;
  return (
    <div ref={box} class="frozen-question" tabIndex={-1} role="group" aria-label="Drop formulas">
      <Message
        intent="warning"
        actions={
          <>
            <Button quiet primary onClick={onDrop}>
              Drop
            </Button>
            <Button quiet onClick={onKeep}>
              Keep
            </Button>
          </>
        }
      >
        Drop {what} for good? The cells keep what they hold.
      </Message>
    </div>
  );
}
