/**
 * What is in the ledger: for each sheet and each session that froze there how many formulas, which of them cannot
 * be put back and why, and dropping them, one by one or all, after a question. Loaded when it is opened; it looks
 * again when something was frozen or thawed.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { areaAddress, functionAddress } from "../../workbook/addresses";
import type { Freezer, FrozenLine } from "../../workbook/frozen-formulas/freezer-types";
import { CellLink } from "../parts/cell-link";
import { Button, Message } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, counted, timeOfDay } from "../parts/words";

interface LedgerListProps {
  services: PaneServices;
  freezer: Freezer;
  /** Another each time that something was frozen or thawed. */
  revision: unknown;
}

/** More rows help nobody; the count says how many there are. */
const mostListed = 100;

type Lines = readonly FrozenLine[];

export function LedgerList({ services, freezer, revision }: LedgerListProps) {
  const [lines, setLines] = useState<Lines | string | null>(null);
  const [looks, setLooks] = useState(0);
  const [asked, setAsked] = useState<Lines | null>(null);
  const [told, setTold] = useState<string | null>(null);

  useEffect(() => {
    let current = true;
    setAsked(null);
    freezer.lines().then(
      (found) => current && setLines(found),
      (error: unknown) => current && setLines(toInvError(error).message),
    );
    return () => {
      current = false;
    };
  }, [freezer, revision, looks]);

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
      .finally(() => setLooks((before) => before + 1));
  }

  if (lines === null) return <p role="status">Looking…</p>;
  return (
    <>
      <div role="status">{told === null ? null : <Message intent="info">{told}</Message>}</div>
      {typeof lines === "string" ? (
        <Message intent="error" actions={<Button onClick={() => setLooks(looks + 1)}>Look again</Button>}>
          {lines}
        </Message>
      ) : (
        <Found services={services} lines={lines} onDrop={ask} />
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
    <section class="ledger-group">
      <h3>{sheet}</h3>
      <p class="hint">
        {counted(lines.length, "formula")}
        {when}, in the hidden sheet {writer}.
      </p>
      {refused.length === 0 ? null : (
        <ul class="rows">
          {refused.slice(0, mostListed).map((line) => (
            <Row key={line.id} services={services} line={line} onDrop={() => onDrop([line])} />
          ))}
        </ul>
      )}
      {refused.length > mostListed ? <p class="hint">and {count(refused.length - mostListed)} more</p> : null}
    </section>
  );
}

interface RowProps {
  services: PaneServices;
  line: FrozenLine;
  onDrop: () => void;
}

function Row({ services, line: { cell, isThere, formula, refusal }, onDrop }: RowProps) {
  const address = areaAddress({ ...cell, rows: 1, cols: 1 });
  return (
    <li>
      {isThere ? (
        <CellLink services={services} address={functionAddress(cell.sheet, address)} label={address} />
      ) : (
        <span>{address}</span>
      )}
      <code>{formula}</code>
      <Button quiet onClick={onDrop}>
        Drop {address}
      </Button>
      <span class="row-detail">{refusal}.</span>
    </li>
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
    <div ref={box} class="ledger-question" tabIndex={-1} role="group" aria-label="Drop formulas">
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
