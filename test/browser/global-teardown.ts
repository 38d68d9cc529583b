/** Stops the server that the setup started. */
import "./global-setup";

export default async function globalTeardown(): Promise<void> {
  await globalThis.invTestServer?.stop();
}
