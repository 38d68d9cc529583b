/** Creates a self-signed certificate for this machine and its key, as PEM, at each run: the project contains no key. */
import { generateKeyPairSync, sign } from "node:crypto";

export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

const dayMs = 86_400_000;

/** Valid for `localhost` and 127.0.0.1, unless only its subject has a name. The certificate is also its own certificate authority. */
export function selfSigned({
  from = Date.now() - dayMs,
  until = Date.now() + 15 * dayMs,
  hasNames = true,
} = {}): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const name = sequence(
    der(0x31, sequence(objectId([0x55, 0x04, 0x03]), der(0x0c, Buffer.from("localhost")))),
  );
  const validity = sequence(time(from), time(until));
  const names = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const authority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    ...(hasNames ? [sequence(objectId([0x55, 0x1d, 0x11]), der(0x04, names))] : []),
    sequence(objectId([0x55, 0x1d, 0x13]), der(0x01, Buffer.from([0xff])), der(0x04, authority)),
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", content, privateKey)]);
  const whole = sequence(content, ecdsaWithSha256, der(0x03, signature));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n").trimEnd();
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function objectId(bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, "").slice(0, 14)}Z`));
}
