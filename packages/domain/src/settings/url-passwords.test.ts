import { describe, expect, it } from 'vitest';
import { maskStreamPasswords, restoreStreamPasswords } from './stream-passwords.js';

const withUrl = (stream_url: string, id = 'garden') => ({ video: { cameras: [{ id, stream_url }] } });

describe('maskStreamPasswords', () => {
  it.each([
    ['http://me:secret@cam:8080/mjpeg?x=1', 'http://me:***@cam:8080/mjpeg?x=1'],
    ['rtsp://me:se@cret@cam/1', 'rtsp://me:***@cam/1'],
    ['http://:secret@cam', 'http://:***@cam'],
    ['http://me@cam/video@2x', 'http://me@cam/video@2x'],
    ['http://cam:8080/video@2x', 'http://cam:8080/video@2x'],
    ['', ''],
  ])('%s, is shown as %s', (url, shown) => {
    expect(maskStreamPasswords(withUrl(url))).toEqual(withUrl(shown));
  });

  it.each([{}, { video: {} }, { video: { cameras: [{ id: 'a' }, null, 'x'] } }])(
    '%j without addresses, is unchanged',
    (settings) => {
      expect(maskStreamPasswords(settings)).toEqual(settings);
    },
  );
});

describe('restoreStreamPasswords', () => {
  const stored = withUrl('http://me:$&cret@cam/1');

  it.each([
    ['http://me:***@cam/1', 'http://me:$&cret@cam/1'],
    ['http://me:***@CAM/2?x=1', 'http://me:$&cret@CAM/2?x=1'],
    ['http://me:other@cam/1', 'http://me:other@cam/1'],
    ['http://else/1', 'http://else/1'],
  ])('%s, is stored as %s', (given, restored) => {
    expect(restoreStreamPasswords(stored, withUrl(given))).toEqual({ change: withUrl(restored), lost: [] });
  });

  it.each([
    ['http://me:***@evil/1', 'http://me@evil/1'],
    ['http://me:***@cam:81/1', 'http://me@cam:81/1'],
    ['https://me:***@cam/1', 'https://me@cam/1'],
    ['http://you:***@cam/1', 'http://you@cam/1'],
  ])('%s for another host or user, loses the password', (given, rest) => {
    const lost = [['video', 'cameras', '0', 'stream_url']];
    expect(restoreStreamPasswords(stored, withUrl(given))).toEqual({ change: withUrl(rest), lost });
  });

  it('a camera with another id, does not get the password', () => {
    const { change } = restoreStreamPasswords(stored, withUrl('http://me:***@cam/1', 'feeder'));
    expect(change).toEqual(withUrl('http://me@cam/1', 'feeder'));
  });
});
