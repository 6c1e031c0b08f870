import { describe, expect, it } from 'vitest';
import { rewritePlaylist, SegmentNames } from './hls-playlist.js';

describe('SegmentNames', () => {
  const names = new SegmentNames('signing key');
  const origin = 'http://camera:8080';
  const path = '/live/SECRETKEY/part 1.ts?token=abc';
  const name = names.name('garden', origin, path);

  it('a name, is stable and resolves to its path for its camera and origin only', () => {
    expect(new SegmentNames('signing key').name('garden', origin, path)).toBe(name);
    expect(names.path('garden', origin, name)).toBe(path);
    expect(names.path('feeder', origin, name)).toBeUndefined();
    expect(names.path('garden', 'http://camera', name)).toBeUndefined();
    expect(new SegmentNames('other key').path('garden', origin, name)).toBeUndefined();
  });

  it('a name, contains no part of its path, not even encoded', () => {
    for (const part of [name, ...name.split('.')])
      expect(`${part} ${Buffer.from(part, 'base64url').toString('latin1')}`).not.toMatch(/live|SECRET|token/);
  });

  it('a name that is changed at any place, is refused', () => {
    for (let at = 0; at < name.length; at += 1) {
      const other = name[at] === 'A' ? 'B' : 'A';
      expect(names.path('garden', origin, name.slice(0, at) + other + name.slice(at + 1))).toBeUndefined();
    }
  });

  it.each([
    '',
    '.',
    'x',
    name.slice(1),
    `${name}a`,
    `${name}.a`,
    name.replace(/^.*\./, '.'),
    `${'!'.repeat(27)}.a`,
  ])('the name %j, is refused', (wrong) => {
    expect(names.path('garden', origin, wrong)).toBeUndefined();
  });
});

const base = new URL('http://camera:8080/live/index.m3u8?src=1');
const rewrite = (...lines: readonly string[]) =>
  rewritePlaylist(['#EXTM3U', ...lines].join('\n'), base, (path) => `<${path}>`)
    .split('\n')
    .slice(1, -1);

describe('rewritePlaylist', () => {
  it.each([
    ['part.ts', '</live/part.ts>'],
    ['/a/part.ts?x=1', '</a/part.ts?x=1>'],
    ['http://me:secret@camera:8080/part.ts', '</part.ts>'],
    ['../../../part.ts', '</part.ts>'],
    ['#EXT-X-MAP:URI="init.mp4",BYTERANGE="1@0"', '#EXT-X-MAP:URI="</live/init.mp4>",BYTERANGE="1@0"'],
    ['#EXTINF:2.5,http://me:secret@camera:8080/live', '#EXTINF:2.5,'],
    ['#EXT-X-KEY:URI="a",X-OTHER-URI="b"', '#EXT-X-KEY:URI="</live/a>",X-OTHER-URI="</live/b>"'],
  ])('%s, becomes %s', (line, rewritten) => {
    expect(rewrite(line)).toEqual([rewritten]);
  });

  it.each([
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES',
    '#EXT-X-PART-INF:PART-TARGET=0.5',
    '#EXT-X-CONTENT-STEERING:SERVER-URI="https://other.example/steering"',
    '#EXT-X-DATERANGE:ID="1",CLASS="com.apple.hls.interstitial",X-ASSET-LIST="https://other.example/list"',
    '#EXT-X-DEFINE:NAME="host",VALUE="other.example"',
    '# made at http://me:secret@camera:8080/live',
    '#EXT-X-CAMERA:URL="http://me:secret@camera:8080/live"',
    '#EXT-X-MEDIA-OF-CAMERA:URI="part.ts"',
  ])('%s, is left out', (line) => {
    expect(rewrite(line)).toEqual([]);
  });

  it.each([
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-DISCONTINUITY-SEQUENCE:4',
    '#EXT-X-MEDIA-SEQUENCE:12',
    '#EXT-X-PROGRAM-DATE-TIME:2026-05-01T08:00:00Z',
    '#EXT-X-BYTERANGE:1000@100',
    '#EXTINF:2,',
  ])('%s, is unchanged', (line) => {
    expect(rewrite(line)).toEqual([line]);
  });

  it.each([
    'http://other.example/1.ts',
    '//other.example/1.ts',
    'https://camera:8080/1.ts',
    'http://camera:5432/1.ts',
    'file:///etc/passwd',
    '#EXT-X-KEY:URI="a",OTHER-URI="http://other.example/"',
  ])('%s, which refers to another host, is refused', (line) => {
    expect(() => rewrite(line)).toThrow('refers to another host');
  });
});
