import { stripVTControlCharacters } from 'node:util';

/**
 * Sums vitest's JSON report. A file that could not be loaded has no tests in the report, and an error outside
 * of every test none either; each counts as one failure, so that a red run never reads "0 failed".
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

/** The counts of several runs together. */
export function addCounts(runs) {
  const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The paths of the files in vitest's JSON report that failed. */
export function failedFiles(report) {
  return report.testResults.filter((file) => file.status === 'failed').map((file) => file.name);
}

const maxMessageLines = 12;

/** The beginning of a failure's message, without the stack, indented. */
function describeFailure(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  const stackAt = lines.findIndex((line) => /^\s+at /.test(line));
  const own = lines.slice(0, stackAt < 0 ? lines.length : stackAt).filter((line) => line.trim() !== '');
  return own
    .slice(0, maxMessageLines)
    .map((line) => `\n  ${line}`)
    .join('');
}

/** The tests in vitest's JSON report that failed, or their file where it could not be loaded, each with the reason. */
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

/** A report in which the files of a second run stand in place of the same files of the first. */
export function replaceFiles(report, second) {
  const repeated = new Set(second.testResults.map((file) => file.name));
  const others = report.testResults.filter((file) => !repeated.has(file.name));
  return { testResults: [...others, ...second.testResults] };
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
