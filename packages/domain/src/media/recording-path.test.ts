import { describe, expect, it } from 'vitest';
import { canonicalVideoPath, checkVideoPath, pathInRecordings, recordingFile } from './recording-path.js';

describe('checkVideoPath', () => {
  it.each([
    'clip.mp4',
    '2026/11/21/093000/video.mp4',
    'data/recordings/2026/11/21/video.mp4',
    'data/a.mp4',
    'data/recordings/data/a.mp4',
    'old/data/recordings/a.mp4',
    'garden feeder/Ziervögel – früh.mp4',
    '..hidden/...mp4',
    `${'a'.repeat(508)}.mp4`,
  ])('%s, is accepted', (path) => {
    expect(checkVideoPath(path)).toBeUndefined();
  });

  it.each([
    ['', 'empty parts'],
    ['data/recordings/', 'empty parts'],
    ['data/recordings//etc/passwd', 'empty parts'],
    ['data/recordings/data/recordings/a.mp4', 'at most once'],
    ['data/recordings/data/recordings', 'at most once'],
    ['data/recordings', 'at most once'],
    ['data/recordings/data/recordings/data/recordings/a.mp4', 'at most once'],
    ['a//b.mp4', 'empty parts'],
    ['a/', 'empty parts'],
    ['/etc/passwd', 'relative'],
    ['../secret.mp4', '. or ..'],
    ['a/../../secret.mp4', '. or ..'],
    ['data/recordings/../secret.mp4', '. or ..'],
    ['./a.mp4', '. or ..'],
    ['a/..', '. or ..'],
    ['a\\b.mp4', 'separated by /'],
    ['a\0.mp4', 'control'],
    ['a\n.mp4', 'control'],
    ['a\u007f.mp4', 'control'],
    [`${'a'.repeat(509)}.mp4`, '512'],
  ])('%j, is refused for %s', (path, reason) => {
    expect(checkVideoPath(path)).toContain(reason);
  });
});

describe('pathInRecordings', () => {
  it('with the public folder in front, removes it once', () => {
    expect(pathInRecordings('data/recordings/data/recordings/a.mp4')).toBe('data/recordings/a.mp4');
  });

  it('without it, returns the path unchanged', () => {
    expect(pathInRecordings('database/a.mp4')).toBe('database/a.mp4');
  });
});

describe('canonicalVideoPath', () => {
  it.each([
    ['2026/a.mp4', 'data/recordings/2026/a.mp4'],
    ['data/recordings/2026/a.mp4', 'data/recordings/2026/a.mp4'],
    ['database/a.mp4', 'data/recordings/database/a.mp4'],
  ])('%s, becomes %s', (path, canonical) => {
    expect(canonicalVideoPath(path)).toBe(canonical);
  });
});

describe('recordingFile', () => {
  it('a path in either form, is the same file', () => {
    expect(recordingFile('/srv/recordings', '2026/a.mp4')).toBe('/srv/recordings/2026/a.mp4');
    expect(recordingFile('/srv/recordings/', 'data/recordings/2026/a.mp4')).toBe(
      '/srv/recordings/2026/a.mp4',
    );
  });

  it('a stored path with the public folder twice, is the file in the inner folder', () => {
    expect(recordingFile('/srv', 'data/recordings/data/recordings/a.mp4')).toBe('/srv/data/recordings/a.mp4');
  });

  it('a path that leads out of the folder, throws a RangeError', () => {
    expect(() => recordingFile('/srv/recordings', '../etc/passwd')).toThrow(RangeError);
  });
});
