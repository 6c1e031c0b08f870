import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emitLiveEvent } from '../../api/live/live-events';
import { requestUnlock, unlockRequests } from '../../api/unlock';
import { renderPart } from '../../testing/render-part';
import texts from '../texts/en.json';
import { SpeciesPicture } from './species-picture';

const crop = '/api/ui/detections/5/crop';
const image = () => document.querySelector('img');
const shimmer = () => document.querySelector('[data-pending]');

describe('SpeciesPicture', () => {
  let response: () => Response;
  let requests = 0;

  beforeEach(() => {
    requests = 0;
    vi.useFakeTimers();
    vi.stubGlobal('fetch', async () => {
      requests += 1;
      return response();
    });
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const refuse = (status: number, body: object) => () => Response.json(body, { status });
  /** Makes the picture fail to load; the hub is then asked why. */
  async function fail() {
    await act(async () => {
      const element = image();
      if (element) fireEvent.error(element);
      await vi.advanceTimersByTimeAsync(0);
    });
  }
  const announce = (videoId: number) =>
    act(() => emitLiveEvent({ name: 'pictures', data: { video_id: videoId, poster: true } }));

  it('a pending picture, shimmers and is retried when its recording has pictures', async () => {
    response = refuse(503, { code: 'media_pending', video_id: 7 });
    await renderPart(<SpeciesPicture url={crop} alt="Great Tit" />, { components: texts });
    await fail();
    expect(shimmer()?.getAttribute('title')).toBe(texts.picture_pending);
    const before = image();
    announce(8);
    expect(image()).toBe(before);
    announce(7);
    expect(image()).not.toBe(before);
    act(() => void fireEvent.load(image() ?? document.body));
    expect([shimmer(), screen.getByAltText('Great Tit')]).toEqual([null, image()]);
  });

  it('a pending picture without an event, is retried after ten seconds', async () => {
    response = refuse(503, { code: 'media_pending', video_id: 7 });
    await renderPart(<SpeciesPicture url={crop} alt="" />, { components: texts });
    await fail();
    const before = image();
    act(() => void vi.advanceTimersByTime(9_000));
    expect(image()).toBe(before);
    act(() => void vi.advanceTimersByTime(1_000));
    expect(image()).not.toBe(before);
  });

  it('a picture whose video was deleted, states this in text and tooltip and is not retried', async () => {
    response = refuse(409, { code: 'media_missing', reason: 'purged' });
    await renderPart(<SpeciesPicture url={crop} alt="" />, { components: texts });
    await fail();
    expect(screen.getByText('No picture: file deleted').parentElement?.title).toBe(
      'No picture: file deleted',
    );
    act(() => void vi.advanceTimersByTime(60_000));
    expect([image(), requests]).toEqual([null, 1]);
  });

  it('a picture whose video was deleted, shows the fallback picture and the reason', async () => {
    response = refuse(410, { code: 'media_purged' });
    await renderPart(<SpeciesPicture url={crop} fallbackUrl="https://birds.test/tit.jpg" alt="" />, {
      components: texts,
    });
    await fail();
    expect(image()?.getAttribute('src')).toBe('https://birds.test/tit.jpg');
    expect(screen.getByText('No picture: file deleted')).toBeDefined();
  });

  it('a picture of a locked hub, is loaded again after unlocking', async () => {
    response = refuse(401, { code: 'unlock_required' });
    await renderPart(<SpeciesPicture url={crop} alt="" />, { components: texts });
    await fail();
    screen.getByText('No picture: the hub is locked');
    const unlocking = requestUnlock('contributor');
    await act(async () => {
      unlockRequests.current()?.settle(true);
      await unlocking;
    });
    expect(screen.queryByText('No picture: the hub is locked')).toBeNull();
    expect(image()?.getAttribute('src')).toBe(crop);
  });

  it('a locked picture with a fallback that is shown, has no note', async () => {
    response = refuse(401, { code: 'unlock_required' });
    const poster = '/api/ui/videos/1/poster';
    await renderPart(<SpeciesPicture url={poster} fallbackUrl={crop} alt="" />, { components: texts });
    await fail();
    expect(image()?.getAttribute('src')).toBe(crop);
    expect(screen.queryByText('No picture: the hub is locked')).toBeNull();
  });

  it('an external picture that fails to load, is removed without a message', async () => {
    await renderPart(<SpeciesPicture url="https://birds.test/tit.jpg" alt="" />, { components: texts });
    await fail();
    expect([image(), requests, screen.queryByText(/No picture/)]).toEqual([null, 0, null]);
  });

  it('a picture that cannot be displayed, is given up after three attempts', async () => {
    response = () => new Response('no picture');
    await renderPart(<SpeciesPicture url={crop} alt="" />, { components: texts });
    for (let attempt = 0; attempt < 3; attempt += 1) await fail();
    expect(image()).toBeNull();
  });
});
