import { describe, expect, test } from 'vitest';
import { AddressPlaces } from './address-places.js';
import { forwardedKey } from './attempt-limit.js';

describe('AddressPlaces', () => {
  test('at the limit of a client, refuses it with the time to wait, and no other client', () => {
    const places = new AddressPlaces(2);
    places.take('a');
    const leave = places.take('a');
    expect(() => places.take('a')).toThrow(expect.objectContaining({ code: 'busy', retryAfterSeconds: 10 }));
    places.take('b');
    leave();
    places.take('a');
    expect(() => places.take('a')).toThrow();
  });

  test('with a place given back twice, counts it once', () => {
    const places = new AddressPlaces(2);
    const leave = places.take('a');
    places.take('a');
    leave();
    leave();
    places.take('a');
    expect(() => places.take('a')).toThrow();
  });
});

describe('forwardedKey', () => {
  test.each([
    [{ 'x-forwarded-for': '192.0.2.7' }, '192.0.2.7'],
    [{ 'x-forwarded-for': '2001:db8:1:2::9' }, '2001:db8:1:2::'],
    [{}, '127.0.0.1'],
  ])('%j from the gateway, is %s', (headers, expected) => {
    expect(forwardedKey({ ip: '127.0.0.1', headers })).toBe(expected);
  });
});
