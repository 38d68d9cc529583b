/** Reads request bodies up to a limit. Hosts that pass a body on need to read no more than one byte over it. */

/** A full request of 100 items is under 4 KB. */
export const maxBodyBytes = 256 * 1024;

/** Returns null for a body over the limit. */
export async function bodyText(request: Request): Promise<string | null> {
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBodyBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Ignores the parameters and letter case of the content type. */
export function hasContentType(request: Request, accepted: string): boolean {
  const given = (request.headers.get("content-type") ?? "").split(";")[0] ?? "";
  return given.trim().toLowerCase() === accepted;
}
