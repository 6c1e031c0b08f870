import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseStored, readStored, store } from './storage';

afterEach(() => {
  vi.unstubAllGlobals();
  store('birdhub.test', '');
  localStorage.clear();
});

const denied = () => {
  throw new DOMException('denied', 'SecurityError');
};

describe('the storage of the browser', () => {
  test('that works, keeps values', () => {
    store('birdhub.test', 'on');
    expect([readStored('birdhub.test'), localStorage.getItem('birdhub.test')]).toEqual(['on', 'on']);
  });

  test('that is blocked, has no values but those of this page', () => {
    vi.stubGlobal('localStorage', { getItem: denied, setItem: denied });
    expect(readStored('birdhub.test')).toBeNull();
    store('birdhub.test', 'on');
    expect(readStored('birdhub.test')).toBe('on');
  });

  test('that is full, returns the new value instead of the stored one', () => {
    localStorage.setItem('birdhub.test', 'on');
    vi.stubGlobal('localStorage', { getItem: () => 'on', setItem: denied });
    store('birdhub.test', 'off');
    expect(readStored('birdhub.test')).toBe('off');
  });

  test.each([null, '', '{"a":', 'null', '7'])('with %j instead of an object, has no properties', (stored) => {
    expect(parseStored(stored)).toEqual({});
  });
});
