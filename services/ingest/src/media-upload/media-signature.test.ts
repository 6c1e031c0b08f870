import { recordingExtensions } from '@birdhub/domain/media';
import { describe, expect, it } from 'vitest';
import { hasSignatureOf } from './media-signature.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const samples: readonly [name: string, head: string][] = [
  ['video.mp4', '\0\0\0\x20ftypisom'],
  ['VIDEO.MP4', '\0\0\0\x20ftypisom'],
  ['video.mp4', '\0\0\0\x08moov'],
  ['video.webm', '\x1a\x45\xdf\xa3....'],
  ['video.mkv', '\x1a\x45\xdf\xa3....'],
  ['sound.wav', 'RIFF\x24\0\0\0WAVEfmt '],
  ['sound.wav', 'RF64\xff\xff\xff\xffWAVEds64'],
  ['sound.mp3', 'ID3\x04\0\0'],
  ['sound.mp3', '\xff\xfb\x90\x64'],
  ['sound.aac', '\xff\xf1\x50\x80'],
  ['sound.flac', 'fLaC\0\0\0\x22'],
  ['sound.ogg', 'OggS\0\x02'],
  ['sound.oga', 'OggS\0\x02'],
  ['sound.opus', 'OggS\0\x02'],
  ['sound.m4a', '\0\0\0\x20ftypM4A '],
  ['picture.jpg', '\xff\xd8\xff\xe0'],
  ['picture.jpeg', '\xff\xd8\xff\xe1'],
  ['picture.png', '\x89PNG\r\n\x1a\n'],
  ['picture.webp', 'RIFF\x24\0\0\0WEBPVP8 '],
];

describe('hasSignatureOf', () => {
  it.each(samples)('%s with its first bytes, is accepted', (name, head) => {
    expect(hasSignatureOf(name, bytes(head))).toBe(true);
  });

  it('every extension of recordings, has a signature', () => {
    const known = new Set(samples.map(([name]) => name.slice(name.lastIndexOf('.')).toLowerCase()));
    expect(recordingExtensions.filter((extension) => !known.has(extension))).toEqual([]);
  });

  it.each(samples)('%s with the bytes of a web page or with none, is refused', (name) => {
    for (const head of ['<!doctype html>', '', '\0'.repeat(16), '\x7fELF', 'PK\x03\x04'])
      expect(hasSignatureOf(name, bytes(head))).toBe(false);
  });

  it.each([
    ['video.mp4', '\x1a\x45\xdf\xa3....'],
    ['sound.wav', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['sound.mp3', '\xff\xf1\x50\x80'],
    ['video.exe', 'MZ'],
    ['video', '\0\0\0\x20ftypisom'],
    ['constructor', '\0\0\0\x20ftypisom'],
  ])('%s with the bytes of another type, is refused', (name, head) => {
    expect(hasSignatureOf(name, bytes(head))).toBe(false);
  });
});
