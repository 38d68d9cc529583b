/** Why a file can't be opened. The page shows the message, one sentence, to the person unchanged. */
export class FileFault extends Error {
  readonly code = "file-fault";
}

export function isFileFault(error: unknown): error is FileFault {
  return error instanceof Error && "code" in error && error.code === "file-fault";
}
