import { expect, test } from 'vitest';
import { createTurns } from './turns';

function setUp(middle = 0) {
  let next: (() => void) | undefined;
  const begun: number[] = [];
  const turns = createTurns({
    middle: () => middle,
    nextFrame: (call) => {
      next = call;
    },
  });
  return {
    begun,
    wait: (top: number) => turns.wait({ top, begin: () => begun.push(top) }),
    frame() {
      const call = next;
      next = undefined;
      call?.();
      return begun.length;
    },
  };
}

test('turns, of several that wait, are given one in a frame, nearest to the middle of the window first', () => {
  const { begun, wait, frame } = setUp(1_000);
  for (const top of [100, 900, 1_300, 2_000]) wait(top);
  expect(begun).toEqual([]);
  expect([frame(), frame(), frame(), frame(), frame()]).toEqual([1, 2, 3, 4, 4]);
  expect(begun).toEqual([900, 1_300, 100, 2_000]);
});

test('turns, of one that left, are given to the others', () => {
  const { begun, wait, frame } = setUp();
  const leave = wait(1);
  wait(2);
  leave();
  frame();
  expect(begun).toEqual([2]);
});

test('turns, after all were given, are given to who waits then', () => {
  const { begun, wait, frame } = setUp();
  wait(1);
  frame();
  wait(2);
  frame();
  expect(begun).toEqual([1, 2]);
});
