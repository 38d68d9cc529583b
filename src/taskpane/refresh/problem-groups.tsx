/** Cells without a number and stale cells, grouped by reason, the largest group first; each group opens to its cells. */
import type { ProblemGroup } from "../../cells/problem-list";
import { errorTable } from "../../domain/errors";
import type { StaleCell } from "../../cells/cell-register";
import { counted } from "../../domain/number-words";
import { AgedCells } from "../parts/aged-cells";
import { Buttons, Fold, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { ProblemRows } from "./problem-rows";
import { asOfWords } from "./change-words";

/** In the order in which a planner acts on them. */
const sections = [
  ["unanswered", "Not answered (#VALUE!)"],
  ["failed", "Failed (#VALUE!)"],
  ["wrong-entry", "Wrong entries (#VALUE!)"],
  ["absent", "Not found (#N/A)"],
] as const;

/** @param unread how many formulas Excel read before it knew INV */
export function ProblemGroups(props: {
  services: PaneServices;
  groups: readonly ProblemGroup[];
  unread: number;
}) {
  const { services, groups, unread } = props;
  return (
    <>
      {unread === 0 ? null : <p>{unreadWords(unread)}</p>}
      {sections.map(([kind, title]) => {
        const kindGroups = groups.filter(({ code }) => errorTable[code].kind === kind);
        if (kindGroups.length === 0) return null;
        return (
          <Section key={kind} title={title}>
            <div class="folds">
              {kindGroups.map((group) => (
                <Fold
                  key={`${group.code} ${group.reason}`}
                  title={
                    <>
                      <strong>{counted(group.count, "cell")}</strong>: {group.reason}
                    </>
                  }
                >
                  {() => <ProblemRows group={group} services={services} />}
                </Fold>
              ))}
            </div>
          </Section>
        );
      })}
      {groups.some((group) => group.cells.some(({ address }) => address === null)) ? (
        <Buttons
          quiet
          actions={{ "Clear problems without a cell": () => services.cells.problemList.forgetUnplaced() }}
        />
      ) : null}
    </>
  );
}

function unreadWords(unread: number): string {
  const [show, them] = unread === 1 ? ["shows", "it"] : ["show", "them"];
  return `${counted(unread, "INV formula")} ${show} #NAME?, because Excel read ${them} before INV was loaded. In one cell, press F2, then Enter. For many, use Replace All: find INV. and replace it with INV.`;
}

export function StaleGroups(props: { services: PaneServices; stale: readonly StaleCell[] }) {
  const { services, stale } = props;
  const byReason = new Map<string, StaleCell[]>();
  for (const each of stale) {
    const group = byReason.get(each.because.message);
    if (group) group.push(each);
    else byReason.set(each.because.message, [each]);
  }
  return (
    <>
      {[...byReason]
        .sort(([, one], [, other]) => other.length - one.length)
        .map(([reason, group]) => (
          <Fold
            key={reason}
            title={
              <>
                <strong>{counted(group.length, "cell")}</strong>, {asOfWords(group, services)}: {reason}
              </>
            }
          >
            {() => <AgedCells services={services} cells={group} />}
          </Fold>
        ))}
    </>
  );
}
