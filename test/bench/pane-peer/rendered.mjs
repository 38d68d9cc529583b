/** When a page stands: two frames after its tree was built, counted from the navigation's start. */

/* global requestAnimationFrame, window */

/** Leaves the time in milliseconds on the window. */
export function reportRendered() {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      window.renderedMs = performance.now();
    }),
  );
}
