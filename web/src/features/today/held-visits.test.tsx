import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Visit } from '../../components/visits/summarize-day';
import { createVisit } from '../../testing/factories';
import { arrivalsSince, splitAtTop, useHeldVisits } from './held-visits';

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
    receive: (...ids: number[]) => rerender({ visits: ids.map(visit) }),
    state: () => [result.current.waiting, idsOf(result.current.shown)],
  };
}

it('useHeldVisits, with nobody pointing at it, puts new visits on top', () => {
  const list = setUp();
  list.receive(3, 2, 1);
  expect(list.state()).toEqual([0, [3, 2, 1]]);
});

it('useHeldVisits, while pointed at, holds new visits back until released', () => {
  const list = setUp();
  list.point();
  list.receive(3, 2, 1);
  list.receive(4, 3, 2, 1);
  expect(list.state()).toEqual([2, [2, 1]]);
  list.leave();
  expect(list.state()).toEqual([2, [2, 1]]);
  list.release();
  expect(list.state()).toEqual([0, [4, 3, 2, 1]]);
});

it('useHeldVisits, after the pointer has left, puts new visits on top again', () => {
  const list = setUp();
  list.point();
  list.leave();
  list.receive(3, 2, 1);
  expect(list.state()).toEqual([0, [3, 2, 1]]);
});

it('useHeldVisits, when the top visit disappears, shows all', () => {
  const list = setUp();
  list.point();
  list.receive(3, 2, 1);
  list.receive(3, 1);
  expect(list.state()).toEqual([0, [3, 1]]);
});

const visitAt = (id: number, hour: string) => createVisit({ id, start_time: `2026-05-04T${hour}:00:00Z` });
const [seven, eight, nine] = [visitAt(7, '07'), visitAt(8, '08'), visitAt(9, '09')];

describe('visits', () => {
  it('with a known top, hold newer ones back', () => {
    const { waiting, shown } = splitAtTop([nine, eight, seven], 7);
    expect([waiting, idsOf(shown)]).toEqual([2, [7]]);
  });

  it.each([undefined, 99])('with %s as the former top, are all shown', (topId) => {
    const { waiting, shown } = splitAtTop([nine, eight], topId);
    expect([waiting, idsOf(shown)]).toEqual([0, [9, 8]]);
  });

  it('that began since, are announced, but not older ones that arrive late', () => {
    expect(idsOf(arrivalsSince([eight], [nine, eight, seven]))).toEqual([9]);
    expect(idsOf(arrivalsSince([], [eight]))).toEqual([8]);
  });
});
