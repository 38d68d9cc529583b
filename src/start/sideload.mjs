/**
 * Adds INV to Excel and removes it, with office-addin-debugging. It calls the package's functions instead of
 * its command, because the command exits with 0 even after a failure.
 */
import { join } from "node:path";
import { root } from "./prepare.mjs";

/**
 * @param {"start" | "stop"} action
 * @returns {Promise<void>} rejects with the tool's reason
 */
export async function sideload(action) {
  const { AppType, startDebugging, stopDebugging } = await import("office-addin-debugging");
  const manifest = join(root, "manifest.xml");
  if (action === "stop") return stopDebugging(manifest);
  return startDebugging(manifest, { appType: AppType.Desktop, app: "excel", enableDebugging: false });
}
