import sharp from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { describe, expect, it } from 'vitest';
import { laplacianVariance, measurePicture, pictureQuality } from './picture-facts.js';

const width = 300;
const height = 200;
/** Stripes, whose edges a blur removes. */
const stripes = Buffer.from(
  Array.from({ length: width * height * 3 }, (_, at) => (Math.floor(at / 24) % 2 ? 220 : 40)),
);
const draw = (sigma?: number) => {
  const image = sharp(stripes, { raw: { width, height, channels: 3 } });
  return (sigma ? image.blur(sigma) : image).jpeg().toBuffer();
};

describe('measurePicture', () => {
  it('a blurred picture, is less sharp', async () => {
    const [clear, soft, blurred] = await Promise.all(
      [draw(), draw(1.5), draw(6)].map(async (one) => measurePicture(await one)),
    );
    expect(clear?.sharpness).toBeGreaterThan(soft?.sharpness ?? 1);
    expect(soft?.sharpness).toBeGreaterThan(blurred?.sharpness ?? 1);
    expect([clear?.width, clear?.height]).toEqual([width, height]);
  });

  it('a plain red picture, has a red thumbhash and no sharpness', async () => {
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#e02020' } })
      .png()
      .toBuffer();
    const { thumbhash, sharpness } = await measurePicture(bytes);
    expect(sharpness).toBe(0);
    const { r, g, b, a } = thumbHashToAverageRGBA(Buffer.from(thumbhash, 'base64'));
    expect([r > 0.7, g < 0.3, b < 0.3, a]).toEqual([true, true, true, 1]);
  });

  it('a file that is not a picture, throws', async () => {
    await expect(measurePicture(Buffer.from('no picture'))).rejects.toThrow();
  });
});

describe('laplacianVariance', () => {
  it('a picture of one or two pixels, has none', () => {
    expect(laplacianVariance(new Uint8Array([7]), { width: 1, height: 1 })).toBe(0);
    expect(laplacianVariance(new Uint8Array([7, 9]), { width: 2, height: 1 })).toBe(0);
  });
});

describe('pictureQuality', () => {
  const facts = { width: 400, height: 400, sharpness: 0.8 };
  it.each([
    ['a larger bird', pictureQuality(facts, 0.1), pictureQuality(facts, 0.01)],
    ['more pixels', pictureQuality(facts, 0.1), pictureQuality({ ...facts, width: 64 }, 0.1)],
    ['a sharper picture', pictureQuality(facts, 0.1), pictureQuality({ ...facts, sharpness: 0.2 }, 0.1)],
    ['a box', pictureQuality(facts, 0.1), pictureQuality(facts, null)],
  ])('%s, scores higher', (_, better, worse) => expect(better).toBeGreaterThan(worse));

  it('extreme pictures, score between 0 and 1', () => {
    expect(pictureQuality({ width: 9_000, height: 9_000, sharpness: 1 }, 1)).toBeLessThanOrEqual(1);
    expect(pictureQuality({ width: 1, height: 1, sharpness: 0 }, 0)).toBeGreaterThanOrEqual(0);
  });
});
