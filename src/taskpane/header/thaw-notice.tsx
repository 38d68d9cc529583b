/**
 * What the open workbook offers: to finish or take back a freeze that was cut off, or to thaw a workbook that
 * came by mail. Whatever was left alone afterwards is named. A chunk of its own: few workbooks offer anything.
 */
import { useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import type { FreezeReport } from "../../workbook/frozen-formulas/report";
import type { Offer, ThawOffer } from "../../workbook/frozen-formulas/thaw-offer";
import { reportWords } from "../parts/freeze-words";
import { Button, Message } from "../parts/parts";
import { useAlive, useSource } from "../parts/use-source";
import { counted } from "../parts/words";

export function OpenOffer({ offer: source }: { offer: ThawOffer }) {
  const offer = useSource(source);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);
  const alive = useAlive();

  async function act(work: () => Promise<FreezeReport | null>, done: string): Promise<void> {
    setBusy(true);
    setOutcome(null);
    const told = await work().then(
      (report) => (report ? reportWords(report, done) : null),
      (error: unknown) => toInvError(error).message,
    );
    if (!alive.current) return;
    setBusy(false);
    setOutcome(told);
  }

  if (offer === null) {
    return outcome === null ? null : (
      <Message
        intent="info"
        actions={
          <Button quiet onClick={() => setOutcome(null)}>
            Dismiss
          </Button>
        }
      >
        {outcome}
      </Message>
    );
  }
  const words = offerWords(offer);
  return (
    <Message
      intent="info"
      actions={
        <>
          <Button quiet primary disabled={busy} onClick={() => void act(() => source.accept(), words.done)}>
            {words.accept}
          </Button>
          <Button quiet disabled={busy} onClick={() => void act(() => source.decline(), words.undone)}>
            {words.decline}
          </Button>
        </>
      }
    >
      {outcome === null ? words.text : `${outcome} ${words.text}`}
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
      text: `This workbook was prepared to mail: ${cells} hold values${from}${age}. Thaw to bring the formulas back; they then ask the service, with your credentials.`,
      accept: "Thaw",
      decline: "Keep the values",
      done: "thawed",
      undone: "kept",
    };
  }
  const [doing, done, undone] =
    kind === "freezing" ? ["freezing", "frozen", "thawed"] : ["thawing", "thawed", "frozen"];
  return {
    text: `INV was stopped while ${doing} this workbook (${cells} of its formulas are frozen). Nothing is lost.`,
    accept: "Finish",
    decline: "Go back",
    done,
    undone,
  };
}
