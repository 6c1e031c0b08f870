import exifr from 'exifr';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PictureFacts, tagPicture } from './picture-metadata.js';

const facts: PictureFacts = {
  takenAt: Date.UTC(2026, 4, 1, 6, 15, 0, 250),
  zone: 'Europe/Berlin',
  scientificName: 'Parus major',
  commonName: 'Großmeise & Co',
  description: '2 birds <at> "a feeder"',
  place: { latitude: -33.87, longitude: -151.2, uncertainty: 641, name: 'Elm Straße' },
  rightsHolder: "Ada, O'Neill",
  licence: 'https://creativecommons.org/licenses/by/4.0/legalcode',
};

const everything = { tiff: true, exif: true, gps: true, xmp: true, iptc: true, reviveValues: false };

describe('tagPicture', () => {
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
  });
  const read = (given: Partial<PictureFacts> = {}) =>
    exifr.parse(tagPicture(jpeg, { ...facts, ...given }), everything);

  it('a picture, has time, place and name in EXIF, XMP and IPTC', async () => {
    expect(await read()).toMatchObject({
      DateTimeOriginal: '2026:05:01 08:15:00',
      OffsetTimeOriginal: '+02:00',
      SubSecTimeOriginal: '250',
      latitude: expect.closeTo(-33.87, 9),
      longitude: expect.closeTo(-151.2, 9),
      GPSLatitudeRef: 'S',
      GPSLongitudeRef: 'W',
      GPSHPositioningError: 641,
      ImageDescription: '2 birds <at> "a feeder"',
      Artist: "Ada, O'Neill",
      title: { lang: 'x-default', value: 'Parus major' },
      // The reader does not decode XML entities.
      subject: ['Parus major', 'Großmeise &amp; Co'],
      Keywords: ['Parus major', expect.any(String)],
      CreateDate: '2026:05:01 08:15:00',
      Location: 'Elm Straße',
      ObjectName: 'Parus major',
      DateCreated: '20260501',
      TimeCreated: '081500+0200',
    });
  });

  it('a picture, keeps its pixels', async () => {
    const tagged = tagPicture(jpeg, facts);
    const [before, after] = await Promise.all([jpeg, tagged].map((one) => sharp(one).raw().toBuffer()));
    expect(after).toEqual(before);
    expect((await sharp(tagged).metadata()).format).toBe('jpeg');
  });

  it('without a certain name and a place, has neither', async () => {
    const said = await read({ scientificName: undefined, commonName: undefined, place: undefined });
    for (const field of ['title', 'subject', 'ObjectName', 'Keywords', 'latitude', 'GPSLatitude', 'Location'])
      expect(said).not.toHaveProperty(field);
  });

  it('bytes that are not a JPEG, are refused', () => {
    expect(() => tagPicture(Buffer.from('GIF89a'), facts)).toThrow('not a JPEG');
  });

  it('any text and place, is read back, and the picture can still be opened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constant('é\u{1f426}'.repeat(900))),
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        async (text, latitude, longitude) => {
          const place = { latitude, longitude, uncertainty: 30, name: text };
          const given = {
            scientificName: text,
            commonName: text,
            description: text,
            rightsHolder: text,
            place,
          };
          const tagged = tagPicture(jpeg, { ...facts, ...given });
          expect(await exifr.parse(tagged, everything)).toMatchObject({
            latitude: expect.closeTo(latitude, 6),
            longitude: expect.closeTo(longitude, 6),
          });
          await sharp(tagged).raw().toBuffer();
        },
      ),
      { numRuns: 8 },
    );
  });
});
