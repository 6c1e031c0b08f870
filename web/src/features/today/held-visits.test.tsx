import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createVisit } from '../../testing/factories';
import { arrivalsSince, splitAtTop, useHeldVisits } from './held-visits';
import type { Visit } from './summarize-day';

const visit = (id: number) => createVisit({ id });
const idsOf = (visits: readonly Visit[]) => visits.map(({ id }) => id);

function setUp() {
  const { result, rerender } = renderHook(({ visits }) => useHeldVisits(visits), {
    initialProps: { visits: [visit(2), visit(1)] },
  });
  return {
    point: () => act(() => result.current.holding.onPointerEnter()),
    leave: () => act(() => result.current.holding.onPointerLeave()),
    release: () => act(() => result.current.release()),
    comes: (...ids: number[]) => rerender({ visits: ids.map(visit) }),
    seen: () => [result.current.waiting, idsOf(result.current.shown)],
  };
}

it('newest visits, that nobody is reading, come on top', () => {
  const list = setUp();
  list.comes(3, 2, 1);
  expect(list.seen()).toEqual([0, [3, 2, 1]]);
});

it('newest visits, pointed at, wait above what is read until they are asked for', () => {
  const list = setUp();
  list.point();
  list.comes(3, 2, 1);
  list.comes(4, 3, 2, 1);
  expect(list.seen()).toEqual([2, [2, 1]]);
  list.leave();
  expect(list.seen()).toEqual([2, [2, 1]]);
  list.release();
  expect(list.seen()).toEqual([0, [4, 3, 2, 1]]);
});

it('newest visits, after somebody pointed at them and left, come on top again', () => {
  const list = setUp();
  list.point();
  list.leave();
  list.comes(3, 2, 1);
  expect(list.seen()).toEqual([0, [3, 2, 1]]);
});

it('newest visits, read from one that then is gone, are all shown', () => {
  const list = setUp();
  list.point();
  list.comes(3, 2, 1);
  list.comes(3, 1);
  expect(list.seen()).toEqual([0, [3, 1]]);
});

const visitAt = (id: number, hour: string) => createVisit({ id, start_time: `2026-05-04T${hour}:00:00Z` });
const [seven, eight, nine] = [visitAt(7, '07'), visitAt(8, '08'), visitAt(9, '09')];

describe('visits', () => {
  it('read from a place, let newer ones wait above it', () => {
    const { waiting, shown } = splitAtTop([nine, eight, seven], 7);
    expect([waiting, idsOf(shown)]).toEqual([2, [7]]);
  });

  it.each([undefined, 99])('with %s on top before, are all shown', (topId) => {
    const { waiting, shown } = splitAtTop([nine, eight], topId);
    expect([waiting, idsOf(shown)]).toEqual([0, [9, 8]]);
  });

  it('that came since, are told of, but not those of earlier that came late', () => {
    expect(idsOf(arrivalsSince([eight], [nine, eight, seven]))).toEqual([9]);
    expect(idsOf(arrivalsSince([], [eight]))).toEqual([8]);
  });
});
