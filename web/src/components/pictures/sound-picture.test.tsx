import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render-part';
import texts from '../texts/en.json';
import { placeSlice, SoundPicture } from './sound-picture';

const url = '/api/ui/videos/7/spectrogram';
const picture = (address: string | null) => (
  <SoundPicture url={address} interval={{ from: 10, to: 14 }} recordingSeconds={40} label="Heard only" />
);

describe('SoundPicture', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('with a spectrogram, shows its part of it and an ear', async () => {
    await renderPart(picture(url), { components: texts });
    const image = document.querySelector('img');
    expect(image?.getAttribute('src')).toBe(url);
    expect(image?.parentElement?.style).toMatchObject({ width: '800%', left: '-190%' });
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });

  it('without a spectrogram, shows only the ear', async () => {
    await renderPart(picture(null), { components: texts });
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });

  it('with a deleted spectrogram, shows only the ear', async () => {
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
    ['in the middle, is centred', { from: 10, to: 14 }, 40, { width: 800, left: -190 }],
    [
      'shorter than three seconds, is widened to three',
      { from: 10, to: 10.5 },
      30,
      { width: 1000, left: -291.6667 },
    ],
    ['at the start, begins with the recording', { from: 0, to: 1 }, 30, { width: 1000, left: 0 }],
    ['at the end, ends with the recording', { from: 29, to: 30 }, 30, { width: 1000, left: -900 }],
    ['as long as the recording, covers all of it', { from: 0, to: 30 }, 30, { width: 100, left: 0 }],
    ['in a recording of one second, covers all of it', { from: 0, to: 1 }, 1, { width: 100, left: 0 }],
  ])('an interval %s', (_, interval, seconds, { width, left }) => {
    const place = placeSlice(interval, seconds);
    expect(place?.width).toBeCloseTo(width, 3);
    expect(place?.left).toBeCloseTo(left, 3);
  });

  it('without a recording length, returns undefined', () => {
    expect(placeSlice({ from: 0, to: 1 }, 0)).toBeUndefined();
    expect(placeSlice({ from: 0, to: 1 }, Number.NaN)).toBeUndefined();
  });
});
