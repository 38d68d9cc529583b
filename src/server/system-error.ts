/** Reads errors of Node and the operating system. */
import { messageOf } from "../domain/errors";

/** Returns the code, such as `ENOENT`, or null if there is none. */
export function codeOf(error: unknown): string | null {
  const code: unknown = Reflect.get(Object(error) as object, "code");
  return typeof code === "string" ? code : null;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  EACCES: "this account may not use it",
  EISDIR: "it is a folder",
  ENOTDIR: "it isn't a folder",
  ENAMETOOLONG: "this isn't a path",
  ERR_INVALID_ARG_VALUE: "this isn't a path",
  ERR_ENCODING_INVALID_ENCODED_DATA: "its text isn't UTF-8",
};

/**
 * Says why a file or folder can't be used. Node's own message would repeat the path, in whose place somebody may have pasted a
 * secret.
 */
export function whyUnusable(error: unknown): string {
  const code = codeOf(error);
  return code === null ? messageOf(error) : (reasons[code] ?? code);
}
