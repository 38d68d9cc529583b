/**
 * Webpack loader for the toast library: it would insert its style sheet as a <style> element, which the
 * page's Content-Security-Policy refuses. The same sheet is part of the page's own css instead.
 */
"use strict";

module.exports = function dropInsertedCss(source) {
  return source.replace(/^__insertCSS\(.*\);?$/m, "");
};
