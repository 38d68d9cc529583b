/** Lets a person choose a file by the button or by dropping it anywhere on the page. */

export interface OpenButtonParts {
  readonly button: HTMLButtonElement;
  readonly input: HTMLInputElement;
}

/** @param open resolves when the file was opened, refused or cancelled; only one is opened at a time */
export function bindOpen({ button, input }: OpenButtonParts, open: (file: File) => Promise<void>): void {
  button.hidden = false;

  function take(file: File | undefined): void {
    if (file === undefined || button.disabled) return;
    button.disabled = true;
    void open(file).finally(() => {
      button.disabled = false;
      button.focus();
    });
  }

  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    take(input.files?.[0]);
    // Allow the same file to be chosen again.
    input.value = "";
  });
  // Capture the event before the grid gets it and before the browser replaces the page with the file.
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  for (const kind of ["dragenter", "dragover"] as const) {
    window.addEventListener(kind, (event) => hasFiles(event) && event.preventDefault(), { capture: true });
  }
  window.addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      take(event.dataTransfer?.files[0]);
    },
    { capture: true },
  );
}
