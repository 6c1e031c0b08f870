import { describe, expect, it } from 'vitest';
import { restoreUrlPasswords } from './url-passwords.js';

const withUrl = (stream_url: string, id = 'garden') => ({ video: { cameras: [{ id, stream_url }] } });

describe('restoreUrlPasswords', () => {
  const stored = withUrl('http://me:$&cret@cam/1');

  it.each([
    ['http://me:***@cam/1', 'http://me:$&cret@cam/1'],
    ['http://me:***@CAM/2?x=1', 'http://me:$&cret@CAM/2?x=1'],
    ['http://me:other@cam/1', 'http://me:other@cam/1'],
    ['http://else/1', 'http://else/1'],
  ])('%s, is stored as %s', (given, restored) => {
    expect(restoreUrlPasswords(stored, withUrl(given), Object.is)).toEqual({
      change: withUrl(restored),
      lost: [],
    });
  });

  it.each([
    ['http://me:***@evil/1', 'http://me@evil/1'],
    ['http://me:***@cam:81/1', 'http://me@cam:81/1'],
    ['https://me:***@cam/1', 'https://me@cam/1'],
    ['http://you:***@cam/1', 'http://you@cam/1'],
  ])('%s for another host or user, loses the password', (given, rest) => {
    const lost = [['video', 'cameras', '0', 'stream_url']];
    expect(restoreUrlPasswords(stored, withUrl(given), Object.is)).toEqual({ change: withUrl(rest), lost });
  });

  it.each([
    ['http://me:***@feeder/', 'http://me:$&cret@feeder/', []],
    ['http://me:***@evil/', 'http://me@evil/', [['feed', 'esphome_url']]],
  ])('%s as the address of a feeder, is stored as %s', (given, restored, lost) => {
    const feed = (esphome_url: string) => ({ feed: { esphome_url } });
    expect(restoreUrlPasswords(feed('http://me:$&cret@feeder'), feed(given), Object.is)).toEqual({
      change: feed(restored),
      lost,
    });
  });

  it('a password that is the same as the stored one, is stored as before', () => {
    const isSame = (before: unknown, given: unknown) => before === '$&cret' && given === 'other-seal';
    const { change } = restoreUrlPasswords(stored, withUrl('http://me:other-seal@cam/2'), isSame);
    expect(change).toEqual(withUrl('http://me:$&cret@cam/2'));
  });

  it('a camera with another id, does not get the password', () => {
    const { change } = restoreUrlPasswords(stored, withUrl('http://me:***@cam/1', 'feeder'), Object.is);
    expect(change).toEqual(withUrl('http://me@cam/1', 'feeder'));
  });
});
