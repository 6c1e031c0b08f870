import { describe, expect, it } from 'vitest';
import { addCounts, countTests, describeCounts, isGreen } from './test-counts.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});

const report = (passed: number, failed: number, ...testResults: ReturnType<typeof file>[]) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
});

describe('countTests', () => {
  it('a run in which all passed, counts no failure', () => {
    expect(countTests(report(2, 0, file('passed', 'passed', 'passed')), 0)).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
    });
  });

  it('a failed test, counts once and not also for its file', () => {
    expect(countTests(report(1, 1, file('failed', 'passed', 'failed')), 1).failed).toBe(1);
  });

  it('a file that could not be loaded, counts as one failure', () => {
    expect(countTests(report(1, 0, file('passed', 'passed'), file('failed')), 1).failed).toBe(1);
  });

  it('an error outside of every test, counts as one failure', () => {
    expect(countTests(report(1, 0, file('passed', 'passed')), 1).failed).toBe(1);
  });

  it('skipped tests and those to be written, are counted together', () => {
    const some = { ...report(1, 0), numPendingTests: 2, numTodoTests: 1 };
    expect(countTests(some, 0).skipped).toBe(3);
  });
});

describe('isGreen', () => {
  it('a run without a single test, is not good', () => {
    expect(isGreen({ passed: 0, failed: 0 })).toBe(false);
  });

  it('one failure among many, is not good', () => {
    expect(isGreen({ passed: 9, failed: 1 })).toBe(false);
  });
});

describe('describeCounts', () => {
  it('nothing skipped, names passed and failed alone', () => {
    expect(describeCounts({ passed: 3, failed: 1, skipped: 0 })).toBe('3 passed, 1 failed');
  });

  it('some skipped, names them at the end', () => {
    expect(describeCounts({ passed: 3, failed: 0, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped');
  });
});

describe('addCounts', () => {
  it('several runs, one of them red, gives the sum and is red', () => {
    const runs = [
      { passed: 2, failed: 0, skipped: 1 },
      { passed: 3, failed: 1, skipped: 0 },
    ];
    expect(addCounts(runs)).toEqual({ passed: 5, failed: 1, skipped: 1 });
    expect(isGreen(addCounts(runs))).toBe(false);
  });
});
