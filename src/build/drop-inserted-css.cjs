/**
 * A webpack loader for the toast library, which would insert a <style> element. The page's
 * Content-Security-Policy refuses such elements, and the page's own CSS contains the same rules.
 */
"use strict";

module.exports = function dropInsertedCss(source) {
  return source.replace(/^__insertCSS\(.*\);?$/m, "");
};
