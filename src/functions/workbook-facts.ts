/** ENV: which environment this workbook uses. It asks the service nothing, but is a cell of that environment. */
import { InvError } from "../domain/errors";
import { atOnce, refuse } from "./calculate";
import { refusalOf } from "./values";

/** The environment's id; an error while none is chosen. */
export const environment = atOnce((call) => {
  const id = call.session.environmentId();
  if (id !== null) return id;
  const error = new InvError(
    "not-connected",
    "No environment is chosen yet. Open the INV pane and choose one.",
  );
  return refuse(call, refusalOf(error));
});
