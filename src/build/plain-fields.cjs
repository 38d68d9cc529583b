/**
 * A webpack loader for the grid's packages, which are compiled for old browsers: each field of a new object is
 * set by a shared function. A tenth of a calculation was spent there, because a browser can't optimize one
 * place that sets the fields of all classes. With this loader, the fields are set by plain assignments.
 */
"use strict";

module.exports = function plainFields(source) {
  return source.replace(/_defineProperty\(\s*this,\s*("\w+"),/g, "(this[$1] =");
};
