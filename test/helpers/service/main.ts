/**
 * Serves only the embedded service, on loopback, as a process of its own that a test can kill. Its argument is the port; 0 takes any free
 * one. Prints its address.
 */
import { createEmbedded } from "../../../src/server/embedded";
import { closeAtEnd, openPort } from "../../../src/server/open-port";
import { createServiceServer } from "./server";

void serve(Number(process.argv[2]));

async function serve(port: number): Promise<void> {
  const reportError = (error: unknown): void => console.error("Error inside the service:", error);
  const embedded = await createEmbedded({ reportError });
  const server = await createServiceServer({ ...embedded, faultSwitches: true });
  const opened = await openPort(server, { setting: "port", host: "127.0.0.1", port });
  console.log(`The service is running at http://localhost:${opened}`);
  closeAtEnd(server, { reportError });
}
