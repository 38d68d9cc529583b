/**
 * The frozen formulas of the workbook: their number, and those that can't be restored, with the reason. Drops them one by one
 * or all at once, after a question.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { areaAddress, functionAddress } from "../../workbook/addresses";
import type { Freezer, FrozenLine } from "../../workbook/frozen-formulas/freezer-types";
import { ActionStatus, useAction } from "../parts/action";
import { CellRows } from "../parts/cell-rows";
import { LoadStatus } from "../parts/load-status";
import { Button, Buttons, Message } from "../parts/parts";
import { useLoaded } from "../parts/use-source";
import type { PaneServices } from "../services";
import { count, counted } from "../parts/words";

type Lines = readonly FrozenLine[];

export function FrozenFormulas({
  services,
  freezer,
  revision,
}: {
  services: PaneServices;
  freezer: Freezer;
  /** Changes with each freeze or thaw; the component then reads the list again. */
  revision: unknown;
}) {
  const lines = useLoaded(() => freezer.lines(), [freezer, revision]);
  /** The formulas that the person is asked about. */
  const [toDrop, setToDrop] = useState<Lines | null>(null);
  const dropping = useAction();
  useEffect(() => setToDrop(null), [lines.value]);

  function ask(chosen: Lines): void {
    dropping.clear();
    setToDrop(chosen);
  }

  function drop(chosen: Lines): void {
    setToDrop(null);
    dropping.run(async () => {
      const dropped = await freezer.forget(chosen.map(({ id }) => id)).finally(lines.again);
      return `${counted(dropped, "formula")} dropped.`;
    });
  }

  return (
    <>
      <ActionStatus action={dropping} />
      <LoadStatus loaded={lines} busyText="Looking…" />
      {lines.value === null || lines.error !== null ? null : (
        <Found services={services} lines={lines.value} onDrop={ask} />
      )}
      {toDrop === null ? null : (
        <DropQuestion lines={toDrop} onDrop={() => drop(toDrop)} onKeep={() => setToDrop(null)} />
      )}
    </>
  );
}

function Found(props: { services: PaneServices; lines: Lines; onDrop: (lines: Lines) => void }) {
  const { services, lines, onDrop } = props;
  const refused = lines.filter(({ refusal }) => refusal !== null);
  if (lines.length === 0) return <p class="hint">Nothing is frozen in this workbook.</p>;
  return (
    <>
      <p class="hint">
        {counted(lines.length, "formula")}
        {outlook(lines.length, refused.length)}
      </p>
      {refused.length === 0 ? null : (
        <CellRows
          services={services}
          items={refused}
          label="Formulas that can't be restored"
          row={({ id, cell, isThere, formula, refusal }) => {
            const address = areaAddress({ ...cell, rows: 1, cols: 1 });
            const full = functionAddress(cell.sheet, address);
            return {
              key: id,
              address: isThere ? full : null,
              label: full,
              words: <code>{formula}</code>,
              action: (
                <Button quiet onClick={() => onDrop(lines.filter((line) => line.id === id))}>
                  Drop {address}
                </Button>
              ),
              detail: `${refusal ?? ""}.`,
            };
          }}
        />
      )}
      <Buttons
        quiet
        actions={{
          [`Drop what can't be restored (${count(refused.length)})`]:
            refused.length < 2 || refused.length === lines.length ? null : () => onDrop(refused),
          [`Drop all (${count(lines.length)})`]: () => onDrop(lines),
        }}
      />
    </>
  );
}

function outlook(lines: number, refused: number): string {
  if (refused === 0) return ". A thaw restores all of them.";
  if (refused === lines) return ". None of them can be restored now.";
  return `. ${count(refused)} of them can't be restored now.`;
}

function DropQuestion(props: { lines: Lines; onDrop: () => void; onKeep: () => void }) {
  const { lines, onDrop, onKeep } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [lines]);
  const [only] = lines;
  const what = lines.length === 1 && only ? `the formula ${only.formula}` : `${count(lines.length)} formulas`;
  return (
    <div ref={box} class="frozen-question" tabIndex={-1} role="group" aria-label="Drop formulas">
      <Message intent="warning" primary actions={{ Drop: onDrop, Keep: onKeep }}>
        Drop {what} for good? The cells keep their values.
      </Message>
    </div>
  );
}
