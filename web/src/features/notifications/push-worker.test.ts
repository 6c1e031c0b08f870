import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenForPushes, renewSubscription } from './push-worker';

const scope = 'https://birds.example/hub/';

type Listener = (event: unknown) => void;

interface FakePage {
  readonly url: string;
  readonly focus: () => Promise<unknown>;
  readonly navigate: (url: string) => Promise<unknown>;
}

function createPage(url: string): FakePage {
  return { url, focus: vi.fn(async () => undefined), navigate: vi.fn(async () => undefined) };
}

function setUp({ own = [], others = [] }: { own?: FakePage[]; others?: FakePage[] } = {}) {
  const listeners = new Map<string, Listener>();
  const showNotification = vi.fn(async () => undefined);
  const openWindow = vi.fn(async () => null);
  const worker = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    registration: { scope, showNotification },
    clients: {
      openWindow,
      matchAll: async ({ includeUncontrolled = false }) => (includeUncontrolled ? [...own, ...others] : own),
    },
  };
  listenForPushes(worker as unknown as ServiceWorkerGlobalScope);
  async function dispatch(name: string, event: object): Promise<void> {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(name)?.({ ...event, waitUntil: (given: Promise<unknown>) => (work = given) });
    await work;
  }
  const push = (payload: object) => dispatch('push', { data: { json: () => payload } });
  const close = vi.fn();
  const click = (url: string) => dispatch('notificationclick', { notification: { data: url, close } });
  return { showNotification, openWindow, push, click, close, dispatch };
}

const message = {
  title: 'Great Tit',
  body: 'Here since 08:05',
  tag: 'birdhub-visit-7',
  url: '/hub/videos/12',
  visit_id: 7,
};

const foreignUrls = [
  '//evil.example/x',
  '/\\evil.example/x',
  'https://evil.example/hub/videos/12',
  'http://birds.example/hub/videos/12',
  'https://birds.example:8443/hub/videos/12',
  'https://birds.example@evil.example/hub/',
  'https://birds.example.evil.example/hub/',
  '/other',
  '/hub/../other',
  'javascript:alert(1)',
  'https://[',
];

describe('a push message', () => {
  it('with picture paths, is shown with absolute addresses', async () => {
    const { showNotification, push } = setUp();
    await push({ ...message, icon: '/hub/a.jpg', image: 'https://pictures.example/b.jpg' });
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Great Tit', {
      body: 'Here since 08:05',
      tag: 'birdhub-visit-7',
      icon: 'https://birds.example/hub/a.jpg',
      badge: 'https://birds.example/hub/icon-192.png',
      image: 'https://pictures.example/b.jpg',
      data: 'https://birds.example/hub/videos/12',
    });
  });

  it('without pictures, is shown with the icon of the hub', async () => {
    const { showNotification, push } = setUp();
    await push(message);
    expect(showNotification).toHaveBeenCalledWith(
      'Great Tit',
      expect.objectContaining({ icon: 'https://birds.example/hub/icon-192.png' }),
    );
    expect(showNotification).not.toHaveBeenCalledWith(
      'Great Tit',
      expect.objectContaining({ image: expect.anything() }),
    );
  });

  it.each(foreignUrls)('with the foreign address %j, is shown with the start page', async (url) => {
    const { showNotification, push } = setUp();
    await push({ ...message, url });
    expect(showNotification).toHaveBeenCalledWith('Great Tit', expect.objectContaining({ data: scope }));
  });

  it('without content, shows nothing', async () => {
    const { showNotification, dispatch } = setUp();
    await dispatch('push', { data: null });
    expect(showNotification).not.toHaveBeenCalled();
  });
});

describe('a clicked notification', () => {
  const url = `${scope}videos/12`;

  it('with no page open, opens one', async () => {
    const { openWindow, click, close } = setUp();
    await click(url);
    expect(close).toHaveBeenCalled();
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(url);
  });

  it.each(foreignUrls)('with the foreign address %j, opens the start page', async (address) => {
    const { openWindow, click } = setUp();
    await click(address);
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(scope);
  });

  it('with its page open, focuses that page', async () => {
    const [page, other] = [createPage(url), createPage(scope)];
    const { openWindow, click } = setUp({ own: [other], others: [page] });
    await click(url);
    expect(page.focus).toHaveBeenCalled();
    expect(
      [page.navigate, other.navigate, openWindow].every((one) => vi.mocked(one).mock.calls.length === 0),
    ).toBe(true);
  });

  it('with another page open, navigates it there', async () => {
    const page = createPage(scope);
    const { openWindow, click } = setUp({ own: [page] });
    await click(url);
    expect(page.navigate).toHaveBeenCalledExactlyOnceWith(url);
    expect(page.focus).toHaveBeenCalled();
    expect(openWindow).not.toHaveBeenCalled();
  });

  it('with only pages that the service worker does not control, opens one', async () => {
    const page = createPage(scope);
    const { openWindow, click } = setUp({ others: [page] });
    await click(url);
    expect(page.navigate).not.toHaveBeenCalled();
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(url);
  });
});

afterEach(() => vi.unstubAllGlobals());

const options = { userVisibleOnly: true, applicationServerKey: null };
const createSubscription = (endpoint: string) => ({ endpoint, options }) as unknown as PushSubscription;

function setUpRenewal(status = 200) {
  const fetch = vi.fn(async (_address: URL, _request: { body: string }) => new Response(null, { status }));
  vi.stubGlobal('fetch', fetch);
  const subscribe = vi.fn(async () => createSubscription('https://push.example/new'));
  const registration = { scope: 'https://birds.example/hub/', pushManager: { subscribe } };
  const posts = () => fetch.mock.calls.map(([address, { body }]) => [address.href, JSON.parse(body)]);
  return { subscribe, posts, registration: registration as unknown as ServiceWorkerRegistration };
}

describe('renewSubscription', () => {
  it('with an expired subscription, subscribes again and sends both to the hub', async () => {
    const { subscribe, posts, registration } = setUpRenewal();
    await renewSubscription(registration, {
      oldSubscription: createSubscription('https://push.example/old'),
    });
    expect(subscribe).toHaveBeenCalledExactlyOnceWith(options);
    expect(posts()).toEqual([
      [
        'https://birds.example/hub/api/ui/push/subscribe',
        { subscription: { endpoint: 'https://push.example/new', options } },
      ],
      ['https://birds.example/hub/api/ui/push/unsubscribe', { endpoint: 'https://push.example/old' }],
    ]);
  });

  it('with a subscription renewed by the browser, sends that one', async () => {
    const { subscribe, posts, registration } = setUpRenewal();
    const newSubscription = createSubscription('https://push.example/other');
    await renewSubscription(registration, { newSubscription });
    expect(subscribe).not.toHaveBeenCalled();
    expect(posts()).toHaveLength(1);
  });

  it('without a subscription, sends nothing to the hub', async () => {
    const { posts, registration } = setUpRenewal();
    await renewSubscription(registration, {});
    expect(posts()).toEqual([]);
  });

  it('when the hub refuses, rejects', async () => {
    const { registration } = setUpRenewal(503);
    const change = { oldSubscription: createSubscription('https://push.example/old') };
    await expect(renewSubscription(registration, change)).rejects.toThrow('503');
  });
});
