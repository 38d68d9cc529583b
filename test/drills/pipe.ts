/**
 * A network between a server and its Redis that can be slow, silent or cut. It forwards the bytes of each connection. From
 * the next connection on, it can connect to another Redis.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Pipe {
  readonly port: number;
  delay(ms: number): void;
  /** Keeps all connections, new ones included, but lets nothing through. */
  silence(): void;
  /** Ends all connections and accepts none until `mend`, which may name another port. */
  cut(): void;
  mend(toPort?: number): void;
  close(): void;
}

export async function openPipe(toPort: number): Promise<Pipe> {
  let state: "open" | "silent" | "cut" = "open";
  let delayMs = 0;
  const ends = new Set<() => void>();
  const server = createServer({ noDelay: true }, (near) => {
    if (state === "cut") return void near.destroy();
    const far = connect({ host: "127.0.0.1", port: toPort, noDelay: true });
    const end = () => {
      ends.delete(end);
      near.destroy();
      far.destroy();
    };
    ends.add(end);
    forward(near, far, () => 0);
    forward(far, near, () => delayMs);
    for (const side of [near, far]) side.on("error", end).on("close", end);
  });

  function forward(from: Socket, to: Socket, waitMs: () => number): void {
    // Bytes are written in order, whichever timer runs first: swapped bytes would break the stream.
    const held: Buffer[] = [];
    const writeNext = () => {
      for (const bytes of held.splice(0, 1)) to.write(bytes);
    };
    from.on("data", (bytes: Buffer) => {
      // Bytes sent during the silence are lost, and so is the connection.
      if (state !== "open") return;
      const inMs = waitMs();
      if (inMs === 0 && held.length === 0) {
        to.write(bytes);
        return;
      }
      held.push(bytes);
      setTimeout(writeNext, inMs);
    });
  }

  function endAll(): void {
    for (const end of ends) end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    delay: (ms) => (delayMs = ms),
    silence: () => (state = "silent"),
    cut() {
      state = "cut";
      endAll();
    },
    mend(to = toPort) {
      toPort = to;
      // After lost bytes a stream can't continue, so the connections end.
      if (state === "silent") endAll();
      state = "open";
    },
    close() {
      endAll();
      server.close();
    },
  };
}
