/**
 * Offers to finish or undo an interrupted freeze or thaw, or to thaw a workbook that came by mail. Then reports what was done,
 * and what was left unchanged and why.
 */
import { useAction } from "../parts/action";
import type { FreezeReport } from "../../workbook/frozen-formulas/report";
import type { Offer, ThawOffer } from "../../workbook/frozen-formulas/thaw-offer";
import { freezeWords } from "../parts/freeze-words";
import { Message } from "../parts/parts";
import { useSource } from "../parts/use-source";
import { counted } from "../parts/words";

export function ThawQuestion({ offer: source }: { offer: ThawOffer }) {
  const offer = useSource(source);
  const acting = useAction();
  const outcome = acting.result?.text ?? null;
  if (offer === null) {
    return outcome === null ? null : (
      <Message intent="info" actions={{ Dismiss: acting.clear }}>
        {outcome}
      </Message>
    );
  }
  const { text, accept, decline, done, undone } = offerWords(offer);
  const act = (work: () => Promise<FreezeReport | null>, verb: "frozen" | "thawed" | "kept") =>
    acting.run(async () => {
      const report = await work();
      return report && freezeWords(report, verb);
    });
  return (
    <Message
      intent="info"
      primary
      isBusy={acting.busyText !== null}
      actions={{
        [accept]: () => act(source.accept, done),
        [decline]: () => act(source.decline, undone),
      }}
    >
      {outcome === null ? text : `${outcome} ${text}`}
    </Message>
  );
}

function offerWords({ kind, frozen }: Offer) {
  const cells = counted(frozen.cells, "cell");
  if (kind === "mailed") {
    const from = frozen.environmentIds.length === 0 ? "" : ` from ${frozen.environmentIds.join(", ")}`;
    const age =
      frozen.asOf === "" ? "" : `, fetched ${frozen.asOf.slice(0, 16).replace("T", " ")} UTC or later`;
    return {
      text: `This workbook was prepared to mail: ${cells} ${frozen.cells === 1 ? "contains a value" : "contain values"}${from}${age}. Thaw it to restore the formulas. They then ask the service, with your credentials.`,
      accept: "Thaw",
      decline: "Keep the values",
      done: "thawed",
      undone: "kept",
    } as const;
  }
  const [doing, done, undone] =
    kind === "freezing"
      ? (["freezing", "frozen", "thawed"] as const)
      : (["thawing", "thawed", "frozen"] as const);
  return {
    text: `INV was stopped while ${doing} this workbook (${cells} of its formulas are frozen). Nothing is lost.`,
    accept: "Finish",
    decline: "Go back",
    done,
    undone,
  };
}
