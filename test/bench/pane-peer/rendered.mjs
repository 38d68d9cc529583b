/**
 * When a page stands, counted from the navigation's start: its first frame, and the frame after which all
 * its controls are at work. A frame is drawn when the first message after its callbacks arrives.
 */

/* global customElements, requestAnimationFrame, window */

/** Leaves both times on the window. `elements` are the custom elements that are registered later. */
export async function reportRendered(elements) {
  const firstFrameMs = await drawn();
  await Promise.all(elements.map((name) => customElements.whenDefined(name)));
  window.rendered = { firstFrameMs, readyMs: elements.length === 0 ? firstFrameMs : await drawn() };
}

function drawn() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    });
  });
}
