import { expect, it } from 'vitest';
import { errorCode, errorMessage, isDiskFull, undefinedIfMissing } from './caught-error.js';

it('errorMessage, of an error and of another value, returns its text', () => {
  expect([errorMessage(new Error('no')), errorMessage('no'), errorMessage(undefined)]).toEqual([
    'no',
    'no',
    'undefined',
  ]);
});

it('errorCode, of errors with and without a textual code, returns the code or undefined', () => {
  const withCode = (code: unknown) => Object.assign(new Error('failed'), { code });
  const errors = [withCode('ENOENT'), withCode(5), new Error('failed'), 'ENOENT', null, undefined];
  expect(errors.map(errorCode)).toEqual(['ENOENT', ...Array(5).fill(undefined)]);
});

it.each([
  ['ENOSPC', true],
  ['EDQUOT', true],
  ['EFBIG', true],
  ['EACCES', false],
])('isDiskFull, of %s, returns %s', (code, isFull) => {
  expect(isDiskFull(Object.assign(new Error('failed'), { code }))).toBe(isFull);
});

it.each(['ENOENT', 'ENOTDIR'])(
  'undefinedIfMissing, of a failure with %s, resolves to undefined',
  async (code) => {
    const failure = Object.assign(new Error('failed'), { code });
    await expect(undefinedIfMissing(Promise.reject(failure))).resolves.toBeUndefined();
  },
);

it('undefinedIfMissing, of a result and of another failure, settles as the operation', async () => {
  const denied = Object.assign(new Error('failed'), { code: 'EACCES' });
  await expect(undefinedIfMissing(Promise.resolve(1))).resolves.toBe(1);
  await expect(undefinedIfMissing(Promise.reject(denied))).rejects.toBe(denied);
});
