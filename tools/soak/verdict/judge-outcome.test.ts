import { describe, expect, it } from 'vitest';
import { judgeOutcome } from './judge-outcome.js';
import type { ListenerOutcome, Outcome } from './outcome.js';

const listener: ListenerOutcome = { position: 50, count: 50, breaks: [], missedVisits: 0 };
const good: Outcome = {
  failures: [],
  logged: [],
  listeners: [listener, listener],
  lastSequence: 50,
  visits: 4,
  recordings: { expected: 20, stored: 20 },
  films: { expected: 2, ready: 2 },
  waiting: { outbox: 0, 'system-media': 0 },
  states: [{ what: 'visits', isAsExpected: true }],
};

const broken = (given: Partial<Outcome>) =>
  judgeOutcome({ ...good, ...given }).flatMap(({ isKept, measured }) => (isKept ? [] : [measured]));

describe('judgeOutcome', () => {
  it('with a faultless run, keeps every check', () => {
    expect(broken({})).toEqual([]);
  });

  it.each<[string, Partial<Outcome>, string]>([
    ['a request that failed', { failures: ['GET /a: 500', 'GET /b: 500'] }, '2, first: GET /a: 500'],
    ['an error in the log', { logged: ['{}'] }, '1, first: {}'],
    ['one recording too many', { recordings: { expected: 20, stored: 21 } }, '21'],
    ['a film that is not ready', { films: { expected: 2, ready: 1 } }, '1'],
    ['an event not handled', { waiting: { outbox: 0, 'system-push': 3 } }, '1, first: system-push 3'],
    ['visits that differ', { states: [{ what: 'visits', isAsExpected: false }] }, 'otherwise'],
  ])('with %s, fails that check', (_, given, measured) => {
    expect(broken(given)).toEqual([measured]);
  });

  it.each<[string, Partial<ListenerOutcome>, string]>([
    ['that was disconnected', { breaks: ['ended behind 7'] }, 'ended behind 7'],
    ['that is behind', { position: 49 }, 'is at 49 of 50'],
    ['that missed a visit', { missedVisits: 1 }, 'missed 1 visits'],
  ])('with a listener %s, names it', (_, given, complaint) => {
    const listeners = [listener, { ...listener, ...given }];
    expect(broken({ listeners })).toEqual([`1, first: listener 2 ${complaint}`]);
  });
});
