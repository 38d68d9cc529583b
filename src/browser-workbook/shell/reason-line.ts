/**
 * The line below the sheet: why the selected cell is an error, what went wrong lately, and, for screen
 * readers alone, the selected cell itself. A live region is read out each time it is written, so it is
 * written when it changes. What went wrong with an act stays until another cell is selected; what is wrong with the
 * page itself stays, in amber, whatever is selected.
 */

export interface SelectedCell {
  /** Null where the cell shows no error. */
  readonly reason: string | null;
  /** As a screen reader says it, `C2: 47`. */
  readonly spoken: string;
}

export interface ReasonLine {
  update(cell: SelectedCell): void;
  /** What the last act could not do; "" where all went well. */
  tell(sentence: string): void;
  /** What is wrong as long as the page stands. */
  tellAlways(sentence: string): void;
}

export function createReasonLine(line: HTMLElement, selection: HTMLElement): ReasonLine {
  let cell: SelectedCell = { reason: null, spoken: "" };
  let lasting = "";
  let told = "";
  let toldAt = "";

  function show(): void {
    write(line, [lasting, told, cell.reason ?? ""].filter((text) => text !== "").join(" "));
    line.toggleAttribute("data-warning", lasting !== "");
    write(selection, cell.spoken);
  }

  return {
    update(now) {
      cell = now;
      if (told !== "" && addressOf(now) !== toldAt) told = "";
      show();
    },
    tell(sentence) {
      told = sentence;
      toldAt = addressOf(cell);
      show();
    },
    tellAlways(sentence) {
      lasting = sentence;
      show();
    },
  };
}

function addressOf(cell: SelectedCell): string {
  return cell.spoken.split(":")[0] ?? "";
}

function write(region: HTMLElement, text: string): void {
  if (region.textContent !== text) region.textContent = text;
}
