import { type Check, none } from './check.js';
import type { Outcome } from './outcome.js';

function same(what: string, found: number, expected: number): Check {
  return { what, measured: String(found), bound: `= ${expected}`, isKept: found === expected };
}

function listenerFailures({ listeners, lastSequence }: Outcome): string[] {
  return listeners.flatMap(({ position, breaks, missedVisits }, index) => {
    const failures = [...breaks];
    if (position !== lastSequence) failures.push(`is at ${position} of ${lastSequence}`);
    if (missedVisits > 0) failures.push(`missed ${missedVisits} visits`);
    return failures.map((failure) => `listener ${index + 1} ${failure}`);
  });
}

/** Checks that no request failed, nothing was lost, and all listeners received all events. */
export function judgeOutcome(outcome: Outcome): Check[] {
  const { failures, logged, listeners, visits, recordings, films, waiting, states } = outcome;
  const left = Object.entries(waiting).filter(([, count]) => count > 0);
  const events = listeners.reduce((sum, { count }) => sum + count, 0);
  return [
    none('requests that failed', failures),
    none('errors in the log', logged),
    none(
      `events that one of ${listeners.length} listeners missed, of ${events} and ${visits} visits`,
      listenerFailures(outcome),
    ),
    same('recordings in store', recordings.stored, recordings.expected),
    same('recordings with a video that are ready', films.ready, films.expected),
    none(
      'pending work',
      left.map(([name, count]) => `${name} ${count}`),
    ),
    ...states.map(({ what, isAsExpected }) => ({
      what,
      measured: isAsExpected ? 'as computed by the rule' : 'otherwise',
      bound: 'as computed by the rule',
      isKept: isAsExpected,
    })),
  ];
}
