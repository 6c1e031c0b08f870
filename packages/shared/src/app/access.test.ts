import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  authorOf,
  callerOf,
  callerRoles,
  callerTokenHeader,
  callerTokenOf,
  requireUnlocked,
  writeCallerToken,
} from './access.js';

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

const from = (caller: string | undefined) => ({
  headers: caller === undefined ? {} : { 'x-hub-caller': caller },
  id: 'request-1',
});
const unlocked = ['reader', 'contributor', 'admin'];

test.each(callerRoles)('callerOf, of the role %s, returns it', (role) => {
  expect(callerOf(from(role))).toBe(role);
});

test.each([undefined, '', 'root', 'Admin', 'admin, viewer'])(
  'callerOf, of the unknown role %j, returns undefined',
  (role) => {
    expect(callerOf(from(role))).toBeUndefined();
  },
);

test.each(unlocked)('requireUnlocked, for the role %s, lets it pass', (role) => {
  expect(() => requireUnlocked(from(role))).not.toThrow();
});

test.each([undefined, '', 'root', ...callerRoles.filter((role) => !unlocked.includes(role))])(
  'requireUnlocked, for the role %j, throws unlock_required',
  (role) => {
    expect(() => requireUnlocked(from(role))).toThrow(expect.objectContaining({ code: 'unlock_required' }));
  },
);

test.each([
  ['admin', 'admin'],
  ['contributor', 'contributor'],
  ['mcp', 'unknown'],
  [undefined, 'unknown'],
])('authorOf, for the role %j, has the role %s', (role, expected) => {
  expect(authorOf(from(role)).role).toBe(expected);
});
