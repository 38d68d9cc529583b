/** Lint rules that oxlint doesn't have. */

/** Time enters through a Clock parameter, so there is no `new Date()` without an argument. */
const noCurrentDate = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name !== "Date" || node.arguments.length > 0) return;
      context.report({ node, message: "Time enters through a Clock parameter." });
    },
  }),
};

/** `void` would hide a dropped promise from "no-floating-promises", also in an arrow function's shorthand. */
const noVoid = {
  create: (context) => ({
    UnaryExpression(node) {
      if (node.operator !== "void" || node.argument.type === "AssignmentExpression") return;
      context.report({ node, message: "Nobody waits for a promise: unawaited(promise), or a catch." });
    },
  }),
};

export default { meta: { name: "inv" }, rules: { "no-current-date": noCurrentDate, "no-void": noVoid } };
