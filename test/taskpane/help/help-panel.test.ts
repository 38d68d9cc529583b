/** The help in the pane: it loads at the next try, and closes to the tab that was open. */
import { shown } from "../page";
import { openPane } from "../pane-bed";

const entry = (id: string, title: string) => ({
  id,
  kind: "topic",
  title,
  words: "",
  lead: `Of ${id}.`,
  sections: [],
});

it("a help that can't be loaded is reported, and loads at the next try", async () => {
  const pane = await openPane();
  await pane.press("?");
  await pane.sees(/couldn't read "help\/help.json"/);
  pane.files["help/help.json"] = [entry("keys", "Keys"), entry("errors", "Errors")];
  await pane.press("Try again");
  await pane.sees("Errors");
  await pane.press("Errors");
  expect(shown()).toContain("Of errors.");
  await pane.press("Close help");
  await pane.sees("Where the numbers come from");
});
