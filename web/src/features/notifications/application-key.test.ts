import { expect, it } from 'vitest';
import { fromBase64Url, isKeyOf } from './application-key';

const options = (...bytes: number[]) => ({
  userVisibleOnly: true,
  applicationServerKey: Uint8Array.from(bytes).buffer,
});

it('base64url, without padding and with its own letters, is read', () => {
  expect([...fromBase64Url('-_8')]).toEqual([251, 255]);
  expect([...fromBase64Url('AQIDBA')]).toEqual([1, 2, 3, 4]);
});

it('a key, the same bytes or none that the browser tells, is that of the subscription', () => {
  const key = Uint8Array.from([1, 2, 3]);
  expect(isKeyOf(options(1, 2, 3), key)).toBe(true);
  expect(isKeyOf({ userVisibleOnly: true, applicationServerKey: null }, key)).toBe(true);
});

it.each([[[1, 2, 4]], [[1, 2]], [[1, 2, 3, 4]]])('a key, other bytes %j, is another', (bytes) => {
  expect(isKeyOf(options(...bytes), Uint8Array.from([1, 2, 3]))).toBe(false);
});
