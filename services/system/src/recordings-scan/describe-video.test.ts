import { describe, expect, it } from 'vitest';
import { readPathCamera, readPathTime } from './describe-video.js';

const at = (path: string, zone = 'UTC') => {
  const instant = readPathTime(path, zone);
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

describe('readPathTime', () => {
  it.each([
    '2026/05/01/081530/video.mp4',
    '2026/05/01/08-15-30/video.mp4',
    '2026/05/01/08:15:30/video.mp4',
    '2026/05/01/garden/081530/video.mp4',
    'garden/2026/05/01/081530.mp4',
    '2026-05-01/081530.mp4',
    '20260501/081530_garden.mp4',
    'garden_20260501_081530.mkv',
    'garden-20260501-081530-2.mp4',
    '2026-05-01T08:15:30.250.mp4',
    '2026-05-01 08.15.30.webm',
    '20260501081530.mp4',
    '2026/05/01/2026-05-01_08-15-30.mp4',
    'backup 2025-01-01/2026/05/01/081530/video.mp4',
  ])('%s, is a quarter past eight', (path) => {
    expect(at(path)).toBe('2026-05-01T08:15:30.000Z');
  });

  it.each([
    'video.mp4',
    '2026/05/01/video.mp4',
    '2026/02/30/081530/video.mp4',
    '2026/05/01/246060/video.mp4',
    '1999/05/01/081530/video.mp4',
    '12026-05-01_081530.mp4',
    '2026/05/01/0815301.mp4',
    '081530/2026/05/01.mp4',
  ])('%s, is undefined', (path) => {
    expect(at(path)).toBeUndefined();
  });

  it.each([
    ['summer', '2026/07/01/081530/video.mp4', '2026-07-01T06:15:30.000Z'],
    ['winter', '2026/01/01/081530/video.mp4', '2026-01-01T07:15:30.000Z'],
    ['a skipped time', '2026/03/29/023000/video.mp4', '2026-03-29T01:00:00.000Z'],
    ['a repeated time', '2026/10/25/023000/video.mp4', '2026-10-25T00:30:00.000Z'],
  ])('in the zone of the hub, %s, is read as local time', (_, path, instant) => {
    expect(at(path, 'Europe/Berlin')).toBe(instant);
  });
});

describe('readPathCamera', () => {
  const cameras = new Set(['garden', 'north side']);

  it.each([
    ['garden/2026/05/01/video.mp4', 'garden'],
    ['2026/05/01/north side/video.mp4', 'north side'],
    ['2026/05/01/081530/video.mp4', ''],
    ['2026/05/01/Garden/video.mp4', ''],
    ['2026/garden', ''],
  ])('%s, gives %j', (path, camera) => {
    expect(readPathCamera(path, cameras)).toBe(camera);
  });
});
