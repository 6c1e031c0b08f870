import { renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type KeyPress, playerAction, usePlayerKeys } from './player-keys';

const plain = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const press = (key: string, more: Partial<KeyPress> = {}) => ({
  key,
  target: document.body,
  ...plain,
  ...more,
});

function inside(html: string): Element {
  document.body.innerHTML = html;
  const element = document.querySelector('[data-here]');
  if (element === null) throw new Error('nothing is marked');
  return element;
}

afterEach(() => {
  document.body.innerHTML = '';
});

describe('playerAction', () => {
  it.each([
    [' ', 'toggle'],
    [',', 'frame_back'],
    ['.', 'frame_forward'],
    ['ArrowLeft', 'previous'],
    ['ArrowRight', 'next'],
    ['B', 'boxes'],
  ])('%j on the page, returns %s', (key, action) => {
    expect(playerAction(press(key))).toBe(action);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey', 'shiftKey'] as const)(
    'a letter with %s, is left to the browser',
    (key) => {
      expect(playerAction(press('f', { [key]: true }))).toBeUndefined();
    },
  );

  it.each([
    ['in a text', '<input data-here type="text">', 'l'],
    ['in a range', '<input data-here type="range">', 'ArrowRight'],
    ['in a dialog', '<div role="dialog"><p data-here></p></div>', ' '],
    ['in a reel', '<div data-scrolls><a data-here href="/"></a></div>', 'ArrowRight'],
    ['on a button', '<button><span data-here></span></button>', ' '],
  ])('a key %s, is left to the element', (_where, html, key) => {
    expect(playerAction(press(key, { target: inside(html) }))).toBeUndefined();
  });

  it('ArrowRight on a button, still returns next', () => {
    expect(playerAction(press('ArrowRight', { target: inside('<button data-here></button>') }))).toBe('next');
  });
});

describe('usePlayerKeys', () => {
  afterEach(() => localStorage.clear());

  it.each([
    { switched: 'on', calls: 1 },
    { switched: 'off', calls: 0 },
  ])('with single-key shortcuts $switched, calls the action $calls times', ({ switched, calls }) => {
    localStorage.setItem('birdhub.single-keys', switched);
    const mute = vi.fn();
    renderHook(() => usePlayerKeys({ mute } as unknown as Parameters<typeof usePlayerKeys>[0]));
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'm' }));
    expect(mute).toHaveBeenCalledTimes(calls);
  });
});
