/** A lint rule that oxlint doesn't have: no `new Date()` without an argument, because time enters through a Clock parameter. */
const rule = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name !== "Date" || node.arguments.length > 0) return;
      context.report({ node, message: "Time enters through a Clock parameter." });
    },
  }),
};

export default { meta: { name: "inv" }, rules: { "no-current-date": rule } };
