/** The question in a workbook that is new to this device: asked once, and again if the yes failed. */
import { InvError } from "../../../src/domain/errors";
import { buttons, shown } from "../page";
import { openPane } from "../pane-bed";

const question = "This workbook asks for Demo, with your remembered credentials.";

/** Opens a workbook that waits for a yes; the connection then ends as `end` does. */
async function asked(end: Promise<void>) {
  const connects: string[] = [];
  const pane = await openPane({
    settings: { "inv.environment": "demo" },
    instead: ({ connection }) => ({
      connection: {
        ...connection,
        get: () => ({ ...connection.get(), awaitsConsent: true, hasCredentials: false }),
        connect({ environmentId }) {
          connects.push(environmentId);
          return end;
        },
      },
    }),
  });
  await pane.sees(question);
  return { ...pane, connects };
}

it("a yes connects once, and an error is shown with the question", async () => {
  let refuse: (reason: InvError) => void = () => undefined;
  const { press, clock, connects } = await asked(new Promise((_, reject) => (refuse = reject)));
  expect(shown()).toContain("Not allowed yet");
  await press(/^Connect$/);
  expect(buttons(/^(Connect|Not now)$/)).toEqual([]);
  refuse(new InvError("unreachable", "The service cannot be reached."));
  await clock.turns();
  expect(shown()).toMatch(new RegExp(`The service cannot be reached\\.\\s+${question}`));
  await press(/^Connect$/);
  expect(connects).toEqual(["demo", "demo"]);
});

it("a no hides the question, sends nothing, and leaves the connection form to say yes", async () => {
  const { press, connects } = await asked(Promise.resolve());
  await press("Not now");
  expect(shown()).not.toContain(question);
  expect(connects).toEqual([]);
  expect(buttons("Connect to Demo")).toHaveLength(1);
});
