/**
 * Sums vitest's JSON report. A file that could not be loaded has no tests in the report, and an error outside
 * of every test none either; each counts as one failure, so that a red run never reads "0 failed".
 */
export function countTests(report, exitCode) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const isRedWithoutTest = exitCode !== 0 && failed === 0;
  return {
    passed: report.numPassedTests,
    failed: isRedWithoutTest ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The counts of several runs together. */
export function addCounts(runs) {
  const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The closing line of a run. */
export function describeCounts({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** Whether a run may be called good: something ran and nothing failed. */
export function isGreen({ passed, failed }) {
  return failed === 0 && passed > 0;
}
