/** When a page stands: two frames after its tree was built, counted from the navigation's start. */

/** Leaves the time in milliseconds on the window. */
export function reportRendered() {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      window.renderedMs = performance.now();
    }),
  );
}
