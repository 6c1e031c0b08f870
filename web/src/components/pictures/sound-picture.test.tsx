import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render-part';
import texts from '../texts/en.json';
import { placeSlice, SoundPicture } from './sound-picture';

const url = '/api/ui/videos/7/spectrogram';
const picture = (address: string | null) => (
  <SoundPicture url={address} stretch={{ from: 10, to: 14 }} recordingSeconds={40} label="Heard only" />
);

describe('SoundPicture', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('a sound, is its stretch of the spectrogram with an ear', async () => {
    await renderPart(picture(url), { components: texts });
    const image = document.querySelector('img');
    expect(image?.getAttribute('src')).toBe(url);
    expect(image?.parentElement?.style).toMatchObject({ width: '800%', left: '-190%' });
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });

  it('a recording without sound, is an ear and no picture', async () => {
    await renderPart(picture(null), { components: texts });
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });

  it('a spectrogram that is gone, is an ear and no picture', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: 'media_purged' }, { status: 410 }));
    await renderPart(picture(url), { components: texts });
    await act(async () => {
      fireEvent.error(document.querySelector('img') ?? document.body);
      await new Promise((resolve) => setTimeout(resolve));
    });
    await vi.waitFor(() => expect(document.querySelector('img')).toBeNull());
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });
});

describe('placeSlice', () => {
  it.each([
    ['in the middle, has it in the middle', { from: 10, to: 14 }, 40, { width: 800, left: -190 }],
    ['that is short, has three seconds', { from: 10, to: 10.5 }, 30, { width: 1000, left: -291.6667 }],
    ['at the start, begins with the recording', { from: 0, to: 1 }, 30, { width: 1000, left: 0 }],
    ['at the end, ends with the recording', { from: 29, to: 30 }, 30, { width: 1000, left: -900 }],
    ['as long as the recording, is all of it', { from: 0, to: 30 }, 30, { width: 100, left: 0 }],
    ['of a recording of a second, is all of it', { from: 0, to: 1 }, 1, { width: 100, left: 0 }],
  ])('a stretch %s', (_, stretch, seconds, { width, left }) => {
    const place = placeSlice(stretch, seconds);
    expect(place?.width).toBeCloseTo(width, 3);
    expect(place?.left).toBeCloseTo(left, 3);
  });

  it('a recording without length, has none', () => {
    expect(placeSlice({ from: 0, to: 1 }, 0)).toBeUndefined();
    expect(placeSlice({ from: 0, to: 1 }, Number.NaN)).toBeUndefined();
  });
});
