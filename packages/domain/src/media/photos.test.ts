import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cleanPhoto, decodePhotoFile, inspectPhoto, UnusablePhotoError } from './photos.js';

const aPhoto = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 0 } } });
const withTime = (DateTimeOriginal: string, OffsetTimeOriginal?: string) =>
  aPhoto(8, 4)
    .withExif({ IFD2: { DateTimeOriginal, ...(OffsetTimeOriginal && { OffsetTimeOriginal }) } })
    .jpeg()
    .toBuffer();

describe('inspectPhoto', () => {
  it.each([
    ['+02:00', 120],
    ['-03:30', -210],
    ['+00:00', 0],
    [undefined, undefined],
    ['nonsense', undefined],
  ])('with a camera clock at %s, returns time and offset', async (offset, offsetMinutes) => {
    const { takenAt } = await inspectPhoto(await withTime('2026:05:01 10:20:30', offset));
    expect(takenAt).toEqual({ wallMs: Date.UTC(2026, 4, 1, 10, 20, 30), offsetMinutes });
  });

  it('without a time, returns the size only', async () => {
    const facts = await inspectPhoto(await aPhoto(8, 4).png().toBuffer());
    expect(facts).toEqual({ width: 8, height: 4, takenAt: undefined });
  });

  it('with damaged EXIF, returns the size only', async () => {
    const photo = await withTime('2026:05:01 10:20:30');
    photo.fill(0xee, photo.indexOf('Exif') + 14, photo.indexOf('Exif') + 24);
    expect(await inspectPhoto(photo)).toMatchObject({ width: 8, height: 4, takenAt: undefined });
  });

  it('with an EXIF rotation, returns the size as displayed', async () => {
    const photo = await aPhoto(8, 4).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await inspectPhoto(photo)).toMatchObject({ width: 4, height: 8 });
  });

  it.each(['', '<svg/>', 'GIF89a', '\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n'])(
    'with %j, throws',
    async (text) => {
      await expect(inspectPhoto(Buffer.from(text, 'latin1'))).rejects.toThrow(UnusablePhotoError);
    },
  );
});

describe('cleanPhoto', () => {
  it('with a very large photo, scales it down', async () => {
    const clean = await cleanPhoto(await aPhoto(5_000, 100).png().toBuffer());
    expect(await sharp(clean).metadata()).toMatchObject({ format: 'jpeg', width: 4_096, height: 82 });
  });

  it('with a transparent photo, makes the background white', async () => {
    const clean = await cleanPhoto(await aPhoto(8, 8).webp().toBuffer());
    expect([...(await sharp(clean).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });
});

describe('decodePhotoFile', () => {
  it('with a file handle that was read before, returns the pixels', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'photo-'));
    await writeFile(join(folder, 'a.png'), await aPhoto(8, 4).png().toBuffer());
    const file = await open(join(folder, 'a.png'));
    await file.readFile();
    const { width, height, data } = await decodePhotoFile(file);
    expect([width, height, data.length]).toEqual([8, 4, 96]);
    await file.close();
    await rm(folder, { recursive: true });
  });
});
