/**
 * A webpack loader for react-style-singleton, which keeps the page behind a dialog from scrolling. The
 * library would insert a <style> element, which the page's Content-Security-Policy refuses. With this loader,
 * the page adopts the same style sheet instead.
 */
"use strict";

module.exports = function adoptStyles() {
  return `export function stylesheetSingleton() {
  const sheet = new CSSStyleSheet();
  let users = 0;
  return {
    add(css) {
      users += 1;
      if (users > 1) return;
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    },
    remove() {
      users -= 1;
      if (users > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
  };
}`;
};
