import { describe, expect, it } from 'vitest';
import { FollowedEvents, parseEvent } from './follow-events.js';

function follow(...blocks: string[]): FollowedEvents {
  const events = new FollowedEvents();
  for (const block of blocks) events.take(parseEvent(block));
  return events;
}

const visit = (id: number, visitId: number) =>
  `id: ${id}\nevent: visit_started\ndata: {"visit_id":${visitId}}`;

describe('FollowedEvents', () => {
  it('for a client that receives every event since it opened, has no breaks', () => {
    const events = follow('retry: 2000\nid: 7', visit(8, 70), ':', 'id: 9\nevent: motion\ndata: {}');
    expect(events).toMatchObject({ position: 9, count: 2, breaks: [] });
    expect(events.startedVisits).toEqual(new Set([70]));
  });

  it('on an empty stream, starts with the first event', () => {
    expect(follow('retry: 2000\n', visit(1, 5)).breaks).toEqual([]);
  });

  it.each([
    ['skipped', [visit(8, 1), visit(10, 2)], '10 behind 8'],
    ['sent twice', [visit(8, 1), visit(8, 1)], '8 behind 8'],
    ['dropped by a reset', [visit(8, 1), 'id: 20\nevent: reset\ndata: {}', visit(21, 2)], 'reset behind 8'],
  ])('for an event that was %s, has a break', (_, blocks, expected) => {
    expect(follow('retry: 2000\nid: 7', ...blocks).breaks).toEqual([expected]);
  });

  it('with a recording event, returns its data', () => {
    const event = parseEvent('id: 1\nevent: recording\ndata: {"video_id":3}');
    expect(new FollowedEvents().take(event)).toEqual({ video_id: 3 });
  });
});
