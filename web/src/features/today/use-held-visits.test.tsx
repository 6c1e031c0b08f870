import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createVisit } from '../../testing/factories';
import type { Visit } from './summarize-day';
import { useHeldVisits } from './use-held-visits';

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
