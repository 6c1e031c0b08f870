import { afterEach, expect, it, vi } from 'vitest';
import { renewSubscription } from './renew-subscription';

afterEach(() => vi.unstubAllGlobals());

const options = { userVisibleOnly: true, applicationServerKey: null };
const aSubscription = (endpoint: string) => ({ endpoint, options }) as unknown as PushSubscription;

function setUp(status = 200) {
  const fetch = vi.fn(async (_address: URL, _request: { body: string }) => new Response(null, { status }));
  vi.stubGlobal('fetch', fetch);
  const subscribe = vi.fn(async () => aSubscription('https://push.example/new'));
  const registration = { scope: 'https://birds.example/hub/', pushManager: { subscribe } };
  const posts = () => fetch.mock.calls.map(([address, { body }]) => [address.href, JSON.parse(body)]);
  return { subscribe, posts, registration: registration as unknown as ServiceWorkerRegistration };
}

it('a subscription that ended, without a new one, is made anew and the hub is told of both', async () => {
  const { subscribe, posts, registration } = setUp();
  await renewSubscription(registration, { oldSubscription: aSubscription('https://push.example/old') });
  expect(subscribe).toHaveBeenCalledExactlyOnceWith(options);
  expect(posts()).toEqual([
    [
      'https://birds.example/hub/api/ui/push/subscribe',
      { subscription: { endpoint: 'https://push.example/new', options } },
    ],
    ['https://birds.example/hub/api/ui/push/unsubscribe', { endpoint: 'https://push.example/old' }],
  ]);
});

it('a subscription that the browser renewed, is taken as it is', async () => {
  const { subscribe, posts, registration } = setUp();
  const newSubscription = aSubscription('https://push.example/other');
  await renewSubscription(registration, { newSubscription });
  expect(subscribe).not.toHaveBeenCalled();
  expect(posts()).toHaveLength(1);
});

it('a change that names no subscription, tells the hub nothing', async () => {
  const { posts, registration } = setUp();
  await renewSubscription(registration, {});
  expect(posts()).toEqual([]);
});

it('a hub that refuses, fails the work, so that it is seen', async () => {
  const { registration } = setUp(503);
  const change = { oldSubscription: aSubscription('https://push.example/old') };
  await expect(renewSubscription(registration, change)).rejects.toThrow('503');
});
