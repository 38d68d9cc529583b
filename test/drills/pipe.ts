/**
 * A network between a server and its Redis that can be slow, silent or cut: it hands on the bytes of each connection,
 * and another Redis may stand at its end from the next connection on.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Pipe {
  readonly port: number;
  /** Each answer comes so much later. */
  delay(ms: number): void;
  /** Connections stay, and nothing comes through any more, new ones included. */
  silence(): void;
  /** Connections end, and no other is taken until it is mended; then to this port where one is given. */
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
    handOn(near, far, () => 0);
    handOn(far, near, () => delayMs);
    for (const side of [near, far]) side.on("error", end).on("close", end);
  });

  function handOn(from: Socket, to: Socket, waitMs: () => number): void {
    // Written in their order, whichever timer comes first: a stream whose bytes are swapped is none.
    const held: Buffer[] = [];
    const writeNext = () => {
      for (const bytes of held.splice(0, 1)) to.write(bytes);
    };
    from.on("data", (bytes: Buffer) => {
      // What was sent into the silence is lost, and the connection with it.
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
      // What was lost on the way is not to be missed in the middle of a stream.
      if (state === "silent") endAll();
      state = "open";
    },
    close() {
      endAll();
      server.close();
    },
  };
}
