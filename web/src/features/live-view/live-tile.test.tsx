import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart } from '../../testing/render-part';
import { requestUnlock, unlockRequests } from '../session/unlock';
import { LiveTile } from './live-tile';
import texts from './texts/en.json';

afterEach(() => {
  unlockRequests.current()?.settle(false);
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const retryMs = 20_000;
const locked = () =>
  Response.json({ error: 'Unlock the hub first.', code: 'unlock_required' }, { status: 403 });
const picture = '--x\r\ncontent-length: 3\r\n\r\njpg\r\n';
const playing = () =>
  new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode(picture)) }));

/** A hub with a camera; returns how often its stream was requested. */
async function show(kind: 'mjpeg' | 'whep', respond: () => Response) {
  const live = vi.fn(respond);
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1, height: 1, close: () => undefined }));
  vi.stubGlobal(
    'RTCPeerConnection',
    class extends EventTarget {
      readonly iceGatheringState = 'complete';
      readonly localDescription = { sdp: 'v=0' };
      readonly addTransceiver = () => undefined;
      readonly createOffer = async () => ({});
      readonly setLocalDescription = async () => undefined;
      readonly close = () => undefined;
    },
  );
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const url = typeof input === 'string' ? input : input.url;
    if (url.endsWith('/live')) return Response.json({ kind });
    return /\/live\/(mjpeg|whep)/.test(url) ? live() : new Response(null, { status: 404 });
  });
  await renderPart(<LiveTile id="garden" name="Garden" />, { 'live-view': texts, components });
  return live;
}

describe('the live picture of a locked hub', () => {
  test.each(['mjpeg', 'whep'] as const)(
    'by %s, offers to unlock, is not requested again by itself and plays once unlocked',
    async (kind) => {
      const live = await show(kind, locked);
      await screen.findByRole('button', { name: texts.unlock });
      expect(unlockRequests.current()).toBeUndefined();
      vi.useFakeTimers();
      await act(() => vi.advanceTimersByTimeAsync(3 * retryMs));
      expect(live).toHaveBeenCalledTimes(1);
      vi.useRealTimers();
      void requestUnlock('contributor');
      act(() => unlockRequests.current()?.settle(true));
      await waitFor(() => expect(live).toHaveBeenCalledTimes(2));
    },
  );
});

describe('an MJPEG stream', () => {
  test('while it lasts, shows its pictures', async () => {
    await show('mjpeg', playing);
    await screen.findByRole('img', { name: 'Live picture of Garden' });
    await waitFor(() => expect(screen.queryByLabelText(texts.connecting)).toBeNull());
  });

  test('that ends, shows a message and is requested again', async () => {
    const live = await show('mjpeg', () => new Response(picture));
    await screen.findByText(texts.failed);
    live.mockImplementation(playing);
    fireEvent.click(screen.getByRole('button', { name: components.retry }));
    await screen.findByRole('img', { name: 'Live picture of Garden' });
    expect(live).toHaveBeenCalledTimes(2);
  });
});
