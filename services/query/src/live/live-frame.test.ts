import type { BusEvent } from '@birdhub/shared/bus';
import type { EventMap, Subject } from '@birdhub/shared/events';
import { describe, expect, it } from 'vitest';
import { heartbeatBlock, openingBlock, resetBlock, toFrame } from './live-frame.js';

function anEvent<S extends Subject>(subject: S, payload: EventMap[S]): BusEvent {
  const event = {
    id: 'x-1',
    subject,
    payload,
    requestId: 'secret-request',
    sequence: 12,
    redelivered: false,
    storedAt: 0,
  };
  return event as BusEvent;
}
const textOf = (event: BusEvent) => toFrame(event).bytes.toString();

describe('toFrame', () => {
  it('an event, is its place, its name and its facts on one line of data', () => {
    const job = { job_id: 4, kind: 'scan\nagain', state: 'done' };
    const event = anEvent('hub.v1.job.finished', job);
    expect(textOf(event)).toBe(`id: 12\nevent: job\ndata: ${JSON.stringify(job)}\n\n`);
    expect(toFrame(event)).toMatchObject({ sequence: 12, name: 'job' });
  });

  it('changed settings, show their version and not which they are', () => {
    const event = anEvent('hub.v1.settings.updated', { version: 3, keys: ['secrets.ebird_api_key'] });
    expect(textOf(event)).toBe('id: 12\nevent: settings\ndata: {"version":3}\n\n');
  });

  it('a field that the catalogue does not know, is not shown', () => {
    const payload = { notified_at: '2026-05-01T06:00:00Z', token: 'abc' };
    expect(textOf(anEvent('hub.v1.motion.notified', payload))).not.toContain('token');
  });
});

describe('blocks without an event', () => {
  it.each([
    ['an opening', openingBlock(7), 'retry: 2000\nid: 7\n\n'],
    ['an opening of unknown place', openingBlock(undefined), 'retry: 2000\n\n'],
    ['a reset', resetBlock(7), 'id: 7\nevent: reset\ndata: {}\n\n'],
    [
      'a reset of unknown place, which makes the client forget its own',
      resetBlock(undefined),
      'id: \nevent: reset\ndata: {}\n\n',
    ],
    ['a heartbeat', heartbeatBlock(undefined), ':\n\n'],
    ['a heartbeat that moves the id', heartbeatBlock(9), ':\nid: 9\n\n'],
  ])('%s, is written as the standard has it', (_, block, expected) => {
    expect(block).toBe(expected);
  });
});
