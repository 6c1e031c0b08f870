import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callerTokenHeader, callerTokenOf, writeCallerToken } from './access.js';

const headersOf = (value: string) => ({ headers: { [callerTokenHeader]: value } });

test('callerTokenOf, with a header written by the gateway, returns the same name and cameras', () => {
  const cameras = fc.option(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), { nil: undefined });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), cameras, (name, allowed) => {
      const written = writeCallerToken({ name, cameras: allowed });
      expect(written).toMatch(/^[\w-]+$/);
      expect(callerTokenOf(headersOf(written))).toEqual({ name, cameras: allowed });
    }),
  );
});

test('callerTokenOf, without the header, returns undefined', () => {
  expect(callerTokenOf({ headers: {} })).toBeUndefined();
});

test.each(['', 'x', 'bnVsbA', Buffer.from('{"name":1}').toString('base64url')])(
  'callerTokenOf, with an invalid header %j, throws forbidden',
  (value) => {
    expect(() => callerTokenOf(headersOf(value))).toThrow(expect.objectContaining({ code: 'forbidden' }));
  },
);
