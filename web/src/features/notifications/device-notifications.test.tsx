import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import { DeviceNotifications } from './device-notifications';
import texts from './texts/en.json';

// The address of the page is read when the parts of it are loaded.
vi.hoisted(() => {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    'https://birds.example/',
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const endpoint = 'https://push.example/device';
const hubKey = 'AQIDBA';

const admin: Replies = {
  'GET /api/ui/settings/check-access': () => ({ body: { unlocked: true, role: 'admin' } }),
  'GET /api/ui/settings': () => ({
    body: { general: { enable_notifications: true }, web_push: { enabled: true } },
  }),
  'GET /api/ui/push/vapid-public': () => ({ body: { vapid_public_key: hubKey } }),
  'POST /api/ui/push/subscribe': () => ({ status: 201, body: { message: '' } }),
  'POST /api/ui/push/unsubscribe': () => ({ body: { message: '' } }),
  'PATCH /api/ui/settings': () => ({ body: {} }),
};

interface Device {
  readonly permission?: NotificationPermission;
  /** What the person answers when asked. */
  readonly response?: NotificationPermission;
  /** The key it is subscribed with. */
  readonly subscribedWith?: number[];
}

function useDevice({ permission = 'default', response = 'granted', subscribedWith }: Device) {
  const aSubscription = (key: Uint8Array) => ({
    endpoint,
    options: { applicationServerKey: key.slice().buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
  });
  let subscription = subscribedWith ? aSubscription(Uint8Array.from(subscribedWith)) : null;
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      if (subscription !== null) throw new Error('subscribed with another key');
      subscription = aSubscription(applicationServerKey);
      return subscription;
    },
  };
  const registration = { pushManager };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission, requestPermission: async () => response });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
  });
  return { isSubscribed: () => subscription !== null };
}

const shown = () => renderPart(<DeviceNotifications />, { notifications: texts, components });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

describe('messages to this device', () => {
  it('switched on by who may decide for the hub, subscribe the device and let the hub send', async () => {
    const device = useDevice({});
    const { calls } = stubHub(admin);
    await shown();
    await waitFor(() => expect(calls.map(([call]) => call)).toContain('GET /api/ui/settings/check-access'));
    await press('Turn on');
    await screen.findByText('Notifications are on for this device.');
    expect(device.isSubscribed()).toBe(true);
    expect(calls).toContainEqual([
      'POST /api/ui/push/subscribe',
      { subscription: { endpoint, keys: { p256dh: 'p', auth: 'a' } } },
    ]);
    expect(calls).toContainEqual([
      'PATCH /api/ui/settings',
      { general: { enable_notifications: true }, web_push: { enabled: true } },
    ]);
  });

  it('switched on by a viewer, leave the settings alone', async () => {
    useDevice({});
    const viewer = { ...admin, 'GET /api/ui/settings/check-access': () => ({ body: { unlocked: false } }) };
    const { calls } = stubHub(viewer);
    await shown();
    await press('Turn on');
    await screen.findByText('Notifications are on for this device.');
    expect(calls.map(([call]) => call).filter((call) => call.endsWith('/settings'))).toEqual([]);
  });

  it('refused when asked, say how to allow them', async () => {
    const device = useDevice({ response: 'denied' });
    stubHub(admin);
    await shown();
    await press('Turn on');
    await screen.findByText('Notifications are blocked');
    expect(device.isSubscribed()).toBe(false);
  });

  it('of a device subscribed with a former key of the hub, can be switched on again', async () => {
    const device = useDevice({ permission: 'granted', subscribedWith: [9, 9] });
    stubHub(admin);
    await shown();
    await press('Turn on');
    await screen.findByText('Notifications are on for this device.');
    expect(device.isSubscribed()).toBe(true);
  });

  it('on already, are made known to the hub, and end when switched off', async () => {
    const device = useDevice({ permission: 'granted', subscribedWith: [1, 2, 3, 4] });
    const { calls } = stubHub(admin);
    await shown();
    await press('Turn off');
    await screen.findByRole('button', { name: 'Turn on' });
    expect(device.isSubscribed()).toBe(false);
    const posts = calls.filter(([call]) => call.startsWith('POST'));
    expect(posts.map(([call]) => call)).toEqual([
      'POST /api/ui/push/subscribe',
      'POST /api/ui/push/unsubscribe',
    ]);
    expect(posts[1]?.[1]).toEqual({ endpoint });
  });

  it('of a hub that sends to no one, offer to let it send', async () => {
    useDevice({ permission: 'granted', subscribedWith: [1, 2, 3, 4] });
    const silent = {
      ...admin,
      'GET /api/ui/settings': () => ({
        body: { general: { enable_notifications: false }, web_push: { enabled: true } },
      }),
    };
    const { calls } = stubHub(silent);
    await shown();
    await press('Turn on for the hub');
    await waitFor(() => expect(screen.queryByText('Notifications are off for the whole hub')).toBeNull());
    expect(calls.map(([call]) => call)).toContain('PATCH /api/ui/settings');
  });

  it('of a hub that has too many devices, say so', async () => {
    useDevice({});
    const full = {
      ...admin,
      'POST /api/ui/push/subscribe': () => ({
        status: 409,
        body: { error: 'No more.', code: 'too_many_subscriptions', request_id: 'r' },
      }),
    };
    stubHub(full);
    await shown();
    await press('Turn on');
    expect((await screen.findByRole('alert')).textContent).toContain('50 devices');
  });

  it.each([
    [true, 'Sent. If it does not appear'],
    [false, 'The test reached no device'],
  ])('tried, reached: %s, say so', async (ok, words) => {
    useDevice({ permission: 'granted', subscribedWith: [1, 2, 3, 4] });
    stubHub({
      ...admin,
      'POST /api/ui/notify/test': () => ({
        body: { message: '', results: [{ channel: 'web_push', ok, error: null }] },
      }),
    });
    await shown();
    await press('Send a test notification');
    await screen.findByText(words, { exact: false });
  });

  it('of a page without a secure connection, say what is needed', async () => {
    useDevice({});
    vi.stubGlobal('isSecureContext', false);
    stubHub(admin);
    await shown();
    await screen.findByText('Secure connection (HTTPS) needed');
    expect(screen.queryByRole('button')).toBeNull();
  });
});
