/**
 * Webpack loader for the library that keeps what is behind a dialog from scrolling (react-style-singleton): it would
 * insert its style sheet as a <style> element, which the page's Content-Security-Policy refuses. Here the page adopts
 * the same sheet.
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
