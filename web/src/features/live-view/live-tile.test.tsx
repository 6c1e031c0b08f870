import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { requestUnlock, unlockRequests } from '../../api/unlock';
import components from '../../components/texts/en.json';
import { renderPart } from '../../testing/render-part';
import { LiveTile } from './live-tile';
import texts from './texts/en.json';

/** Reports to the observers of an element whether it is in view. */
const scroll = new Map<Element, (isIntersecting: boolean) => void>();
/** How many of the tiles are in view at first. */
let inViewCount: number;

beforeEach(() => {
  scroll.clear();
  inViewCount = Number.POSITIVE_INFINITY;
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1, height: 1, close: () => undefined }));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly disconnect = () => undefined;
      readonly #report: (entries: object[]) => void;
      constructor(report: (entries: object[]) => void) {
        this.#report = report;
      }
      observe(element: Element) {
        const report = (isIntersecting: boolean) => this.#report([{ isIntersecting, target: element }]);
        scroll.set(element, report);
        report(scroll.size <= inViewCount);
      }
    },
  );
});

afterEach(() => {
  unlockRequests.current()?.settle(false);
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
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
  vi.stubGlobal(
    'RTCPeerConnection',
    class extends EventTarget {
      readonly iceGatheringState = 'complete';
      readonly localDescription = { sdp: 'v=0' };
      readonly addTransceiver = () => undefined;
      readonly createOffer = async () => ({});
      readonly setLocalDescription = async () => undefined;
      readonly setRemoteDescription = async () => undefined;
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

  test('shown again, connects until it has a new picture', async () => {
    const live = await show('mjpeg', playing);
    await screen.findByRole('img', { name: 'Live picture of Garden' });
    await waitFor(() => expect(screen.queryByLabelText(texts.connecting)).toBeNull());
    live.mockImplementation(() => new Response(new ReadableStream()));
    const move = scroll.get(screen.getByRole('region'));
    act(() => move?.(false));
    act(() => move?.(true));
    await screen.findByLabelText(texts.connecting);
    expect(live).toHaveBeenCalledTimes(2);
  });

  test('that ends, shows a message and is requested again', async () => {
    const live = await show('mjpeg', () => new Response(picture));
    await screen.findByText(texts.failed);
    live.mockImplementation(playing);
    fireEvent.click(screen.getByRole('button', { name: components.retry }));
    await screen.findByRole('img', { name: 'Live picture of Garden' });
    expect(live).toHaveBeenCalledTimes(2);
  });

  test('that is requested again by hand, leaves the focus in its tile', async () => {
    const live = await show('mjpeg', () => new Response(picture));
    const button = await screen.findByRole('button', { name: components.retry });
    live.mockImplementation(playing);
    button.focus();
    fireEvent.click(button);
    await waitFor(() => expect(button.isConnected).toBe(false));
    expect(document.activeElement).toBe(screen.getByRole('region'));
  });

  test('that fails again and again, is announced once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const live = await show('mjpeg', () => new Response(''));
    await screen.findByRole('status');
    await act(() => vi.advanceTimersByTimeAsync(retryMs));
    await waitFor(() => expect(live).toHaveBeenCalledTimes(2));
    await screen.findByText(texts.failed);
    expect(screen.queryByRole('status')).toBeNull();
  });

  test('refused by a busy hub, does not blame the camera', async () => {
    await show('mjpeg', () => Response.json({ error: 'Busy.', code: 'busy' }, { status: 503 }));
    await screen.findByText(components.failed);
    expect(screen.queryByText(texts.failed)).toBeNull();
    expect(screen.queryByText(texts.failed_hint)).toBeNull();
  });

  test('of an address without pictures, names the addresses that can be shown', async () => {
    const body = { error: 'No pictures.', code: 'live_not_playable' };
    await show('mjpeg', () => Response.json(body, { status: 502 }));
    await screen.findByText(texts.not_playable);
    screen.getByText(texts.empty_hint);
    screen.getByRole('button', { name: components.retry });
    expect(screen.queryByText(texts.failed_hint)).toBeNull();
  });
});

describe('a WebRTC stream', () => {
  test.each([
    ['picture-in-picture', 'pictureInPictureElement', 'enterpictureinpicture', 'leavepictureinpicture'],
    ['full screen', 'fullscreenElement', 'fullscreenchange', 'fullscreenchange'],
  ])('out of view or on a hidden page, plays on while it plays %s', async (_name, property, enter, leave) => {
    const live = await show('whep', () => Response.json({ sdp: 'v=0' }));
    const video = await screen.findByLabelText('Live picture of Garden', { selector: 'video' });
    const detached = vi.fn<() => Element | null>(() => video);
    Object.defineProperty(document, property, { get: detached, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(document, property));
    act(() => void video.dispatchEvent(new Event(enter, { bubbles: true })));
    act(() => scroll.get(screen.getByRole('region'))?.(false));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(video.isConnected).toBe(true);
    expect(live).toHaveBeenCalledTimes(1);
    detached.mockReturnValue(null);
    act(() => void video.dispatchEvent(new Event(leave, { bubbles: true })));
    expect(video.isConnected).toBe(false);
  });

  test('that leaves the view, ends', async () => {
    await show('whep', () => Response.json({ sdp: 'v=0' }));
    const video = await screen.findByLabelText('Live picture of Garden', { selector: 'video' });
    act(() => scroll.get(screen.getByRole('region'))?.(false));
    expect(video.isConnected).toBe(false);
  });

  test('in view, ends when the page is hidden', async () => {
    await show('whep', () => Response.json({ sdp: 'v=0' }));
    const video = await screen.findByLabelText('Live picture of Garden', { selector: 'video' });
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(video.isConnected).toBe(false);
  });
});

describe('twelve HLS streams', () => {
  test('of which four are in view, are requested as they come into view', async () => {
    inViewCount = 4;
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('maybe');
    vi.stubGlobal('fetch', async () => Response.json({ kind: 'hls' }));
    const ids = Array.from({ length: 12 }, (_, index) => `camera-${index + 1}`);
    await renderPart(
      ids.map((id) => <LiveTile key={id} id={id} name={id} />),
      { 'live-view': texts, components },
    );
    const playlists = () =>
      [...document.querySelectorAll('video')].map(({ src }) => /cameras\/(.+)\/live/.exec(src)?.[1]);
    await waitFor(() => expect(playlists()).toEqual(ids.slice(0, 4)));
    const move = (index: number, isInView: boolean) =>
      act(() => scroll.get(screen.getAllByRole('region')[index] as Element)?.(isInView));
    move(0, false);
    move(4, true);
    await waitFor(() => expect(playlists()).toEqual(ids.slice(1, 5)));
  });
});

describe('the request for the kind of a stream', () => {
  test('that fails, is named as the reason and repeated by a button', async () => {
    let isBusy = true;
    vi.stubGlobal('fetch', async (input: Request | string) => {
      if (typeof input === 'string') return playing();
      if (isBusy) return Response.json({ error: 'Busy.', code: 'busy' }, { status: 503 });
      return Response.json({ kind: 'mjpeg' });
    });
    await renderPart(<LiveTile id="garden" name="Garden" />, { 'live-view': texts, components });
    const retry = await screen.findByRole('button', { name: components.retry });
    screen.getByText(components.failed);
    expect(screen.queryByText(texts.failed)).toBeNull();
    isBusy = false;
    fireEvent.click(retry);
    await screen.findByRole('img', { name: 'Live picture of Garden' });
  });

  test('that fails once it was answered, leaves the stream as it is', async () => {
    let requests = 0;
    vi.stubGlobal('fetch', async (input: Request | string) => {
      if (typeof input === 'string') return playing();
      requests += 1;
      if (requests > 1) return Response.json({ error: 'Busy.', code: 'busy' }, { status: 503 });
      return Response.json({ kind: 'mjpeg' });
    });
    await renderPart(<LiveTile id="garden" name="Garden" />, { 'live-view': texts, components });
    await screen.findByRole('img', { name: 'Live picture of Garden' });
    await waitFor(() => expect(screen.queryByLabelText(texts.connecting)).toBeNull());
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(requests).toBe(2));
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('more MJPEG streams than the browser has connections for', () => {
  /**
   * Shows the tiles of cameras that send pictures, except for those that are off; returns the ids of those with an open
   * stream, the id of each request, and a function that ends a stream.
   */
  async function showTiles(ids: readonly string[], off: readonly string[] = []) {
    const open: string[] = [];
    const requested: string[] = [];
    const ends = new Map<string, () => void>();
    let mostOpen = 0;
    vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
      const url = typeof input === 'string' ? input : input.url;
      if (url.endsWith('/live')) return Response.json({ kind: 'mjpeg' });
      const id = /cameras\/(.+)\/live/.exec(url)?.[1] ?? '';
      requested.push(id);
      if (off.includes(id))
        return Response.json({ code: 'camera_unavailable', error: 'off' }, { status: 502 });
      open.push(id);
      mostOpen = Math.max(mostOpen, open.length);
      const close = () => void (open.includes(id) && open.splice(open.indexOf(id), 1));
      init?.signal?.addEventListener('abort', close);
      const start = (to: ReadableStreamDefaultController<Uint8Array>) => {
        to.enqueue(new TextEncoder().encode(picture));
        ends.set(id, () => {
          close();
          to.close();
        });
      };
      return new Response(new ReadableStream({ start, cancel: close }));
    });
    await renderPart(
      ids.map((id) => <LiveTile key={id} id={id} name={id} />),
      { 'live-view': texts, components },
    );
    return { open, requested, end: (id: string) => ends.get(id)?.(), mostOpen: () => mostOpen };
  }

  const tile = (id: string) => screen.getByRole('region', { name: `Live picture of ${id}` });
  const buttons = () => screen.queryAllByRole('button', { name: /^Play live: / });
  const move = (id: string, isInView: boolean) => act(() => scroll.get(tile(id))?.(isInView));

  test('three in view, all play', async () => {
    const { open } = await showTiles(['a', 'b', 'c']);
    await waitFor(() => expect(open).toEqual(['a', 'b', 'c']));
    expect(buttons()).toEqual([]);
  });

  test('five in view, two play and the others show one still picture after another', async () => {
    const { open, requested, mostOpen } = await showTiles(['a', 'b', 'c', 'd', 'e']);
    await waitFor(() => expect(screen.getAllByText(/^Still picture, /)).toHaveLength(3));
    expect(open).toEqual(['a', 'b']);
    expect(new Set(requested)).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
    expect(mostOpen()).toBe(3);
    expect(buttons().map((button) => button.getAttribute('aria-label'))).toEqual([
      'Play live: c',
      'Play live: d',
      'Play live: e',
    ]);
  });

  test('one of a camera that is off, leaves its place to another, which plays on while it is requested again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { open, requested } = await showTiles(['a', 'b', 'c', 'd'], ['a']);
    const count = (id: string) => requested.filter((other) => other === id).length;
    await within(tile('a')).findByText(texts.failed);
    await waitFor(() => expect(open.toSorted()).toEqual(['b', 'c']));
    const [a = 0, ...before] = ['a', 'b', 'c'].map(count);
    for (const _retry of [1, 2]) {
      await act(() => vi.advanceTimersByTimeAsync(retryMs));
      await within(tile('a')).findByText(texts.failed);
    }
    expect(['a', 'b', 'c'].map(count)).toEqual([a + 2, ...before]);
    expect(open.filter((id) => id !== 'd').toSorted()).toEqual(['b', 'c']);
  });

  test('one that is started by hand, plays instead of the last of those that play and gets the focus', async () => {
    const { open } = await showTiles(['a', 'b', 'c', 'd']);
    await waitFor(() => expect(screen.getAllByText(/^Still picture, /)).toHaveLength(2));
    const [button] = within(tile('d')).getAllByRole('button');
    button?.focus();
    fireEvent.click(button as HTMLElement);
    await waitFor(() => expect(within(tile('b')).queryByText(/^Still picture, /)).not.toBeNull());
    expect(open.toSorted()).toEqual(['a', 'd']);
    expect(document.activeElement).toBe(within(tile('d')).getByRole('img'));
  });

  test('one that is started by hand and ends, is requested again as a stream', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { open, end } = await showTiles(['a', 'b', 'c', 'd']);
    await waitFor(() => expect(screen.getAllByText(/^Still picture, /)).toHaveLength(2));
    fireEvent.click(within(tile('d')).getByRole('button'));
    await waitFor(() => expect(open.toSorted()).toEqual(['a', 'd']));
    await waitFor(() => expect(within(tile('d')).queryByLabelText(texts.connecting)).toBeNull());
    await act(async () => end('d'));
    await within(tile('d')).findByText(texts.failed);
    await act(() => vi.advanceTimersByTimeAsync(retryMs));
    await waitFor(() => expect(open).toContain('d'));
    expect(within(tile('d')).queryByRole('button')).toBeNull();
  });

  test('one that leaves the view, releases its connection, and the next one plays', async () => {
    const { open } = await showTiles(['a', 'b', 'c', 'd']);
    await waitFor(() => expect(screen.getAllByText(/^Still picture, /)).toHaveLength(2));
    move('a', false);
    await waitFor(() => expect(open.toSorted()).toEqual(['b', 'c', 'd']));
    expect(buttons()).toEqual([]);
  });

  test('a hidden page, has no connection', async () => {
    const { open } = await showTiles(['a', 'b', 'c', 'd']);
    await waitFor(() => expect(screen.getAllByText(/^Still picture, /)).toHaveLength(2));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(open).toEqual([]));
  });
});
