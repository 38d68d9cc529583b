/** A jest reporter that prints the counts of tests as JSON. It omits the failures, because they can't always be converted. */
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
