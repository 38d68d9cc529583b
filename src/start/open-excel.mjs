/**
 * Opens the add-in in Excel: prepares the build, gets certificates, starts the server and sideloads. At the
 * end, it removes the add-in from Excel before the server stops. Callers pass the steps, so that tests don't
 * need Excel. It is plain JavaScript because it runs before the build.
 */

const withExcel = { win32: "Windows", darwin: "macOS" };

/**
 * @typedef {object} Steps
 * @property {string} platform as Node names it
 * @property {() => void} prepare installs and builds what is missing
 * @property {() => Promise<{ cert: string, key: string }>} certificates installs the development certificates; returns paths of PEM files
 * @property {(files: { cert: string, key: string }) => Server} serve starts the server over HTTPS
 * @property {() => Promise<boolean>} isServing whether the pane's page answers now
 * @property {(ms: number) => Promise<void>} pause
 * @property {(action: "start" | "stop") => Promise<void>} sideload adds INV to Excel or removes it; rejects with the tool's reason
 * @property {Promise<void>} stopped resolves when the user ends the command
 * @property {(line: string) => void} say
 *
 * @typedef {object} Server
 * @property {Promise<void>} ended
 * @property {() => void} stop
 */

const waitMs = 250;
const longestWaitMs = 30_000;

/**
 * Runs until the user stops it or the server ends.
 * @param {Steps} steps
 * @returns {Promise<number>} the exit code
 */
export async function openExcel(steps) {
  const { say } = steps;
  if (!(steps.platform in withExcel)) {
    say("Excel runs only on Windows and macOS, and on the web.");
    say("Run `npm start` instead. It opens a browser workbook with the same add-in.");
    say("To add INV to Excel on the web by hand, see docs/excel.md.");
    return 1;
  }
  steps.prepare();
  const files = await certificatesOf(steps);
  if (files === null) return 1;
  if (await steps.isServing()) {
    say("INV is already served on https://localhost:3000. Stop that server first, then try again.");
    return 1;
  }
  const server = steps.serve(files);
  let hasEnded = false;
  const ended = server.ended.then(() => {
    hasEnded = true;
  });
  try {
    if (!(await answers(steps, () => hasEnded))) {
      say("The server did not start, so Excel was not opened. See the server's message above.");
      return 1;
    }
    say("Opening Excel with INV …");
    await steps.sideload("start").catch((error) => {
      say(`Excel could not be opened with INV: ${reasonOf(error)}`);
      say("The server continues to run. To add INV by hand, see docs/excel.md.");
    });
    say("To test what INV assumes about this Excel, choose Check this Excel below the pane.");
    say("INV is served on https://localhost:3000. Press Ctrl+C to stop it and to remove INV from Excel.");
    await Promise.race([steps.stopped, ended]);
    if (hasEnded) say("The server has ended.");
    await steps.sideload("stop").catch((error) => {
      say(`INV could not be removed from Excel: ${reasonOf(error)} To remove it by hand, see docs/excel.md.`);
    });
    return hasEnded ? 1 : 0;
  } finally {
    server.stop();
  }
}

async function certificatesOf(steps) {
  steps.say("Checking the development certificates (the system may ask you to trust them) …");
  try {
    return await steps.certificates();
  } catch (error) {
    steps.say(`The certificates for https://localhost could not be installed: ${reasonOf(error)}`);
    steps.say("Excel loads add-ins only over trusted HTTPS. See docs/excel.md.");
    return null;
  }
}

async function answers(steps, hasEnded) {
  for (let waitedMs = 0; waitedMs < longestWaitMs && !hasEnded(); waitedMs += waitMs) {
    if (await steps.isServing()) return !hasEnded();
    await steps.pause(waitMs);
  }
  return false;
}

function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
