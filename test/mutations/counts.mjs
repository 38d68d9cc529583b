/** A reporter for jest that prints how many tests failed and passed, and nothing that a failure holds: much of it is no JSON. */
export default function Counts() {
  return {
    onRunComplete(_, { numFailedTests, numPassedTests, numPendingTests, testResults }) {
      const failing = testResults
        .filter(({ testExecError, numFailingTests }) => testExecError || numFailingTests > 0)
        .map(({ testFilePath }) => testFilePath);
      const counts = { numFailedTests, numPassedTests, numPendingTests, files: testResults.length, failing };
      console.log(`\n${JSON.stringify(counts)}`);
    },
  };
}
