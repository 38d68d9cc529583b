/** Why a file cannot be opened, in one sentence that is shown to the person as it stands. */
export class FileFault extends Error {
  readonly code = "file-fault";
}

export function isFileFault(error: unknown): error is FileFault {
  return error instanceof Error && "code" in error && error.code === "file-fault";
}
