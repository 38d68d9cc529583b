/**
 * The pane at the right: shown or hidden, narrower or wider, by mouse and by keyboard. It is hidden, never
 * unloaded: the functions live in its frame, and without them every cell would wait.
 */

export interface PaneParts {
  readonly halves: HTMLElement;
  readonly pane: HTMLElement;
  readonly divider: HTMLElement;
  readonly toggle: HTMLButtonElement;
}

export interface PaneFrame {
  readonly visible: boolean;
  show(): void;
}

/** Excel's own pane is 350 px wide when it opens. */
const usualWidthPx = 350;
const narrowestPx = 320;
const widestPx = 800;
const keyStepPx = 20;

export function createPane({ halves, pane, divider, toggle }: PaneParts): PaneFrame {
  const narrow = window.matchMedia("(max-width: 760px)");
  let visible = !narrow.matches;

  function setVisible(shown: boolean): void {
    visible = shown;
    halves.dataset["pane"] = shown ? "shown" : "hidden";
    toggle.setAttribute("aria-expanded", String(shown));
  }

  function setWidth(wantedPx: number): void {
    const widthPx = Math.round(Math.min(widestPx, Math.max(narrowestPx, wantedPx)));
    pane.style.width = `${widthPx}px`;
    divider.setAttribute("aria-valuenow", String(widthPx));
  }

  toggle.addEventListener("click", () => setVisible(!visible));
  narrow.addEventListener("change", () => setVisible(!narrow.matches));

  divider.setAttribute("aria-valuemin", String(narrowestPx));
  divider.setAttribute("aria-valuemax", String(widestPx));
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    halves.dataset["dragging"] = "";
  });
  divider.addEventListener("pointermove", (event) => {
    if (divider.hasPointerCapture(event.pointerId)) {
      setWidth(halves.getBoundingClientRect().right - event.clientX);
    }
  });
  divider.addEventListener("lostpointercapture", () => delete halves.dataset["dragging"]);
  divider.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowLeft" ? keyStepPx : event.key === "ArrowRight" ? -keyStepPx : 0;
    if (step === 0) return;
    event.preventDefault();
    setWidth(pane.getBoundingClientRect().width + step);
  });

  setWidth(usualWidthPx);
  setVisible(visible);
  return {
    get visible() {
      return visible;
    },
    show: () => setVisible(true),
  };
}
