import { describe, expect, it } from 'vitest';
import { attachment } from './attachment.js';

describe('attachment', () => {
  it('a plain name, is quoted', () => {
    expect(attachment('2026-05-01_231530_garden 2.mp4')).toBe(
      'attachment; filename="2026-05-01_231530_garden 2.mp4"',
    );
  });

  it('a name beyond ASCII, is given twice', () => {
    expect(attachment("zahrada č'1.mp4")).toBe(
      `attachment; filename="zahrada _'1.mp4"; filename*=UTF-8''zahrada%20%C4%8D%271.mp4`,
    );
  });

  it('a name with quotes and percent signs, does not end the header', () => {
    expect(attachment('a"b\\c%41.mp4')).toBe(
      `attachment; filename="a_b_c_41.mp4"; filename*=UTF-8''a%22b%5Cc%2541.mp4`,
    );
  });
});
