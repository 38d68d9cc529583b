/** Stops the servers that the setup started. */
import "./global-setup";

export default async function globalTeardown(): Promise<void> {
  await Promise.all(globalThis.invTestServers?.map((server) => server.stop()) ?? []);
}
