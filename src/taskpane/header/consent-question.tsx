/**
 * The one question of a workbook that this device has not seen: may it use the remembered credentials? Until
 * it is answered nothing is sent, and its cells say where to answer. "Not now" hides the question; the
 * connection form goes on offering the same.
 */
import { useState } from "preact/hooks";
import { type Environment, isSample } from "../../domain/environment";
import { toInvError } from "../../domain/errors";
import { Button, Message } from "../parts/parts";
import type { PaneServices } from "../services";

interface ConsentQuestionProps {
  services: PaneServices;
  environment: Environment;
}

type Answer = "none" | "yes" | "not now" | { readonly failed: string };

export function ConsentQuestion({ services, environment }: ConsentQuestionProps) {
  const [answer, setAnswer] = useState<Answer>("none");
  const { id, label, kind } = environment;

  async function allow(): Promise<void> {
    setAnswer("yes");
    try {
      await services.connection.connect({ environmentId: id }, { tested: false });
    } catch (error) {
      setAnswer({ failed: toInvError(error).message });
    }
  }

  if (answer === "not now") return null;
  return (
    <Message
      intent="warning"
      actions={
        <>
          <Button quiet disabled={answer === "yes"} onClick={() => void allow()}>
            Connect
          </Button>
          <Button quiet disabled={answer === "yes"} onClick={() => setAnswer("not now")}>
            Not now
          </Button>
        </>
      }
    >
      {typeof answer === "object" ? `${answer.failed} ` : ""}
      This workbook asks for {label}, with your remembered credentials. Its formulas will read{" "}
      {isSample(environment)
        ? "sample stock"
        : `${kind === "production" ? "real stock" : "stock"} and spend your company’s quota`}
      . Connect?
    </Message>
  );
}
