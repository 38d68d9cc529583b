/**
 * Activity: why cells have no value, grouped by reason, largest first; each opens to its cells. It is the
 * place where an error's text can always be read, because Excel often hides it. Recording is the
 * functions'; this only shows, selects and copies.
 */
import { useState } from "preact/hooks";
import { errorTable } from "../../domain/errors";
import type { ProblemGroup } from "../../cells/activity";
import { diagnostics } from "../settings/diagnostics";
import { Button, Message, Section } from "../parts/parts";
import { NameErrors } from "./name-errors";
import { ProblemSection } from "./problem-group";
import type { GroupProps } from "./problem-rows";
import type { PaneServices } from "../services";
import type { TabProps } from "../parts/tab";
import { useAlive, useChanges } from "../parts/use-source";
import { count } from "../parts/words";

export function ActivityTab({ services, workbook, active }: TabProps) {
  const { activity } = services.cells;
  useChanges(activity.subscribe);
  const [applied, setApplied] = useState<string | null>(null);
  const groups = activity.groups();
  const mistyped = groups.filter(isMistyped);
  const unanswered = groups.filter((group) => isUnanswered(group) && !isMistyped(group));
  const answered = groups.filter((group) => !isUnanswered(group));
  const shared = { services, onApplied: setApplied };
  return (
    <>
      <NameErrors services={services} workbook={workbook} active={active} />
      {groups.length === 0 ? (
        <Section title="Cells without a value">
          <p class="empty">Nothing to report. When a cell cannot get its value, the reason is listed here.</p>
        </Section>
      ) : null}
      <div role="status">{applied === null ? null : <Message intent="info">{applied}</Message>}</div>
      <Problems title="No answer: #VALUE!" groups={unanswered} {...shared} />
      <Problems title="Wrong entry, nothing asked: #VALUE!" groups={mistyped} {...shared} />
      <Problems title="Answered, no such value: #N/A" groups={answered} {...shared} />
      {groups.length > 0 ? (
        <div class="buttons">
          <Button quiet onClick={() => activity.clear()}>
            Clear list
          </Button>
        </div>
      ) : null}
      <Support services={services} />
    </>
  );
}

interface ProblemsProps extends Omit<GroupProps, "group"> {
  readonly title: string;
  readonly groups: readonly ProblemGroup[];
}

function Problems({ title, groups, ...shared }: ProblemsProps) {
  if (groups.length === 0) return null;
  return (
    <Section title={title}>
      {groups.map((group) => (
        <ProblemSection key={`${group.code} ${group.reason}`} group={group} {...shared} />
      ))}
    </Section>
  );
}

/** Cells that nobody answered, beside the name of the tab; an #N/A is an answer and no alarm. */
export function UnansweredBadge({ services }: { services: PaneServices }) {
  useChanges(services.cells.activity.subscribe);
  let problems = 0;
  for (const group of services.cells.activity.groups()) if (isUnanswered(group)) problems += group.count;
  if (problems === 0) return null;
  return (
    <span slot="end" class="badge">
      {problems > 999 ? "999+" : count(problems)}
      <span class="spoken"> {problems === 1 ? "cell" : "cells"} not answered or mistyped</span>
    </span>
  );
}

/** A wrong entry, of which nobody was asked. */
function isMistyped({ code }: ProblemGroup): boolean {
  return code === "bad-argument";
}

/** Nobody answered, or the question was wrong: something to be done about. An #N/A is the service's answer. */
function isUnanswered(group: ProblemGroup): boolean {
  return errorTable[group.code].cell === "#VALUE!";
}

function Support({ services }: { services: PaneServices }) {
  const [result, setResult] = useState<"none" | "copied" | { text: string }>("none");
  const alive = useAlive();

  async function copy(): Promise<void> {
    const text = diagnostics(services);
    const copied = await services.copyText(text).then(
      () => true,
      () => false,
    );
    if (alive.current) setResult(copied ? "copied" : { text });
  }

  return (
    <Section title="For support">
      <p>
        Version, environment, settings and the last problems with their trace ids. Never a secret or a token.
      </p>
      <div class="buttons">
        <Button onClick={() => void copy()}>Copy diagnostics</Button>
      </div>
      <div role="status">
        {result === "copied" ? <Message intent="success">Copied. Paste it into your message.</Message> : null}
        {typeof result === "object" ? (
          <Message intent="info">
            The clipboard is closed to this page. Select the text below and copy it.
          </Message>
        ) : null}
      </div>
      {typeof result === "object" ? (
        <textarea class="control" aria-label="Diagnostics" readOnly rows={8} value={result.text} />
      ) : null}
    </Section>
  );
}
