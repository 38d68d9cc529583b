/** A jest reporter that prints the counts of tests as JSON, and the titles and first lines of failures. */
export default function Counts() {
  return {
    onRunComplete(_, { numFailedTests, numPassedTests, numPendingTests, testResults }) {
      const failing = testResults
        .filter(({ testExecError, numFailingTests }) => testExecError || numFailingTests > 0)
        .flatMap(({ testFilePath, failureMessage }) => [testFilePath, ...firstLinesOf(failureMessage)]);
      const counts = { numFailedTests, numPassedTests, numPendingTests, files: testResults.length, failing };
      console.log(`\n${JSON.stringify(counts)}`);
    },
  };
}

function firstLinesOf(failureMessage) {
  const lines = (failureMessage ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, 4);
}
