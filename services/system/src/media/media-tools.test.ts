import { describe, expect, it } from 'vitest';
import { parseProbe } from './media-tools.js';

const probe = (streams: object[], duration?: string) => JSON.stringify({ format: { duration }, streams });

describe('parseProbe', () => {
  it.each(['', '{}', '{"streams":[]}', probe([{ codec_type: 'subtitle' }], '5')])(
    '%s, is not playable',
    (json) => {
      expect(parseProbe(json)).toBeUndefined();
    },
  );

  it('video and sound, are both recognised with their length', () => {
    expect(parseProbe(probe([{ codec_type: 'video' }, { codec_type: 'audio' }], '12.5'))).toEqual({
      seconds: 12.5,
      hasVideo: true,
      hasAudio: true,
    });
  });

  it('sound with a cover and no length, is sound only', () => {
    const cover = { codec_type: 'video', disposition: { attached_pic: 1 } };
    expect(parseProbe(probe([cover, { codec_type: 'audio' }]))).toEqual({
      seconds: undefined,
      hasVideo: false,
      hasAudio: true,
    });
  });
});
