import { stripVTControlCharacters } from 'node:util';

/**
 * Counts the tests in vitest's JSON report. Neither a file that could not be loaded nor an error outside the tests has
 * tests in the report; each counts as one failure, so that a failed run never shows "0 failed".
 */
export function countTests(report, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed').length;
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    counts.passed += passed;
    counts.failed += status === 'failed' ? Math.max(failed, 1) : failed;
    counts.skipped += assertionResults.length - passed - failed;
  }
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** Returns the sum of the counts of several runs. */
export function addCounts(runs) {
  const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** Returns the paths of the failed files in vitest's JSON report. */
export function failedFiles(report) {
  return report.testResults.filter((file) => file.status === 'failed').map((file) => file.name);
}

const maxMessageLines = 12;

/** Returns the first lines of a failure's message, indented and without the stack. */
function describeFailure(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  const stackAt = lines.findIndex((line) => /^\s+at /.test(line));
  const own = lines.slice(0, stackAt < 0 ? lines.length : stackAt).filter((line) => line.trim() !== '');
  return own
    .slice(0, maxMessageLines)
    .map((line) => `\n  ${line}`)
    .join('');
}

/** Returns the failed tests in vitest's JSON report, and the files that could not be loaded, each with the reason. */
export function failedTests(report) {
  return report.testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const tests = file.assertionResults.filter((test) => test.status === 'failed');
      if (tests.length === 0) return [`${file.name}${describeFailure(file.message)}`];
      return tests.map(
        (test) => `${file.name}: ${test.fullName}${describeFailure(test.failureMessages?.[0])}`,
      );
    });
}

/** Returns a report in which the results of repeated files are replaced by those of the second run. */
export function replaceFiles(report, second) {
  const repeated = new Set(second.testResults.map((file) => file.name));
  const others = report.testResults.filter((file) => !repeated.has(file.name));
  return { testResults: [...others, ...second.testResults] };
}

/** Returns the last line of the output of a run. */
export function describeCounts({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** Whether at least one test ran and none failed. */
export function isGreen({ passed, failed }) {
  return failed === 0 && passed > 0;
}
