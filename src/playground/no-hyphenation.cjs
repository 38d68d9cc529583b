/** Stands in for the hyphenation dictionaries of the grid's text engine, which no cell uses. */
"use strict";

module.exports = {};
