/**
 * Asks whether a workbook that is new to this device may use the remembered credentials. Until the person answers, INV sends
 * nothing, and cells say where to answer. "Not now" hides the question; the connection form offers the same choice.
 */
import { useState } from "preact/hooks";
import { useAction } from "../parts/action";
import { type Environment, isSample } from "../../domain/environment";
import { Message } from "../parts/parts";
import type { PaneServices } from "../services";

export function ConsentQuestion(props: { services: PaneServices; environment: Environment }) {
  const { services, environment } = props;
  const { id, label, kind } = environment;
  const [isPutOff, setPutOff] = useState(false);
  const connecting = useAction();
  const connect = () =>
    connecting.run(async () => {
      await services.connection.connect({ environmentId: id }, { tested: false });
      return null;
    });

  if (isPutOff) return null;
  return (
    <Message
      intent="warning"
      isBusy={connecting.busyText !== null}
      actions={{ Connect: connect, "Not now": () => setPutOff(true) }}
    >
      {connecting.result === null ? "" : `${connecting.result.text} `}
      This workbook asks for {label}, with your remembered credentials. Its formulas will read{" "}
      {isSample(environment)
        ? "sample stock"
        : `${kind === "production" ? "real stock" : "stock"} and use your company’s quota`}
      . Connect?
    </Message>
  );
}
