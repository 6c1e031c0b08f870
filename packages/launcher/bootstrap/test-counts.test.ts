import { describe, expect, it } from 'vitest';
import {
  addCounts,
  countTests,
  describeCounts,
  failedFiles,
  failedTests,
  isGreen,
  replaceFiles,
} from './test-counts.mjs';

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  assertionResults: tests.map((one, index) => ({ status: one, fullName: `test ${index}` })),
});

const report = (...testResults: ReturnType<typeof file>[]) => ({ testResults });

describe('countTests', () => {
  it('a run in which all tests passed, counts no failure', () => {
    expect(countTests(report(file('a', 'passed', 'passed', 'passed')), 0)).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
    });
  });

  it('a failed test, counts once and not again for its file', () => {
    expect(countTests(report(file('a', 'failed', 'passed', 'failed')), 1).failed).toBe(1);
  });

  it('a file that could not be loaded, counts as one failure', () => {
    expect(countTests(report(file('a', 'passed', 'passed'), file('b', 'failed')), 1).failed).toBe(1);
  });

  it('an error outside of tests, counts as one failure', () => {
    expect(countTests(report(file('a', 'passed', 'passed')), 1).failed).toBe(1);
  });

  it('skipped, pending and todo tests, are counted together', () => {
    const some = report(file('a', 'passed', 'passed', 'skipped', 'pending', 'todo'));
    expect(countTests(some, 0)).toEqual({ passed: 1, failed: 0, skipped: 3 });
  });
});

describe('failedTests', () => {
  it('failed files, are listed by failed test, or by file if it could not be loaded', () => {
    const some = report(file('a', 'failed', 'passed', 'failed'), file('b', 'failed'), file('c', 'passed'));
    expect(failedTests(some)).toEqual(['a: test 1', 'b']);
    expect(failedFiles(some)).toEqual(['a', 'b']);
  });

  it('a failure with a long coloured message, shows its first lines without stack and colours', () => {
    const colour = '\u001B[31m';
    const diff = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const failureMessages = [`${colour}Error: expected 1 to be 2\n\n${diff}\n    at test (a.ts:1:2)`];
    const assertionResults = [{ status: 'failed', fullName: 'test', failureMessages }];
    const [text = ''] = failedTests({ testResults: [{ name: 'a', status: 'failed', assertionResults }] });
    const lines = text.split('\n');
    expect(lines.slice(0, 3)).toEqual(['a: test', '  Error: expected 1 to be 2', '  line 0']);
    expect(lines).toHaveLength(13);
  });

  it('a file that could not be loaded, shows the reason without the stack', () => {
    const message = 'Cannot find module b\n    at load (node:internal)';
    const unloaded = { name: 'a', status: 'failed', message, assertionResults: [] };
    expect(failedTests({ testResults: [unloaded] })).toEqual(['a\n  Cannot find module b']);
  });
});

describe('replaceFiles', () => {
  it('a file that passed when repeated, counts as passed', () => {
    const first = report(file('a', 'passed', 'passed'), file('b', 'failed', 'failed', 'passed'));
    const second = report(file('b', 'passed', 'passed', 'passed'));
    expect(countTests(replaceFiles(first, second), 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
  });

  it('a file that was not repeated, stays failed', () => {
    const first = report(file('b', 'failed', 'failed'));
    expect(countTests(replaceFiles(first, report()), 1).failed).toBe(1);
  });
});

describe('isGreen', () => {
  it('a run without tests, is not green', () => {
    expect(isGreen({ passed: 0, failed: 0 })).toBe(false);
  });

  it('one failure among many tests, is not green', () => {
    expect(isGreen({ passed: 9, failed: 1 })).toBe(false);
  });
});

describe('describeCounts', () => {
  it('without skipped tests, names passed and failed only', () => {
    expect(describeCounts({ passed: 3, failed: 1, skipped: 0 })).toBe('3 passed, 1 failed');
  });

  it('with skipped tests, names them at the end', () => {
    expect(describeCounts({ passed: 3, failed: 0, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped');
  });
});

describe('addCounts', () => {
  it('several runs with one failure, adds them up and is not green', () => {
    const runs = [
      { passed: 2, failed: 0, skipped: 1 },
      { passed: 3, failed: 1, skipped: 0 },
    ];
    expect(addCounts(runs)).toEqual({ passed: 5, failed: 1, skipped: 1 });
    expect(isGreen(addCounts(runs))).toBe(false);
  });
});
