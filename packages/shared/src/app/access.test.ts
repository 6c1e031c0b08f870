import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callerTokenHeader, callerTokenOf, writeCallerToken } from './access.js';

const headersOf = (value: string) => ({ headers: { [callerTokenHeader]: value } });

test('callerTokenOf, of what the gateway wrote, returns the same name and cameras', () => {
  const cameras = fc.option(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), { nil: undefined });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), cameras, (name, allowed) => {
      const written = writeCallerToken({ name, cameras: allowed });
      expect(written).toMatch(/^[\w-]+$/);
      expect(callerTokenOf(headersOf(written))).toEqual({ name, cameras: allowed });
    }),
  );
});

test('callerTokenOf, without the header, is undefined', () => {
  expect(callerTokenOf({ headers: {} })).toBeUndefined();
});

test.each(['', 'x', 'bnVsbA', Buffer.from('{"name":1}').toString('base64url')])(
  'callerTokenOf, of %j that no gateway wrote, throws forbidden',
  (value) => {
    expect(() => callerTokenOf(headersOf(value))).toThrow(expect.objectContaining({ code: 'forbidden' }));
  },
);
