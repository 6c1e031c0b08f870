import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import texts from '../states/texts/en.json';
import { show } from '../testing/show';
import { SoundPicture } from './sound-picture';

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
    await show(picture(url), { states: texts });
    const image = document.querySelector('img');
    expect(image?.getAttribute('src')).toBe(url);
    expect(image?.parentElement?.style).toMatchObject({ width: '800%', left: '-190%' });
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });

  it('a recording without sound, is an ear and no picture', async () => {
    await show(picture(null), { states: texts });
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });

  it('a spectrogram that is gone, is an ear and no picture', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: 'media_purged' }, { status: 410 }));
    await show(picture(url), { states: texts });
    await act(async () => {
      fireEvent.error(document.querySelector('img') ?? document.body);
      await new Promise((resolve) => setTimeout(resolve));
    });
    await vi.waitFor(() => expect(document.querySelector('img')).toBeNull());
    expect(screen.getByRole('img', { name: 'Heard only' })).toBeTruthy();
  });
});
