import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import { DeviceNotifications } from './device-notifications';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
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
  const createSubscription = (key: Uint8Array) => ({
    endpoint,
    options: { applicationServerKey: key.slice().buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
  });
  let subscription = subscribedWith ? createSubscription(Uint8Array.from(subscribedWith)) : null;
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      if (subscription !== null) throw new Error('subscribed with another key');
      subscription = createSubscription(applicationServerKey);
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

const show = () => renderPart(<DeviceNotifications />, { notifications: texts, components });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

describe('DeviceNotifications', () => {
  it('when an admin turns them on, subscribes the device and enables sending on the hub', async () => {
    const device = useDevice({});
    const { calls } = stubHub(admin);
    await show();
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

  it('when a viewer turns them on, leaves the settings unchanged', async () => {
    useDevice({});
    const viewer = { ...admin, 'GET /api/ui/settings/check-access': () => ({ body: { unlocked: false } }) };
    const { calls } = stubHub(viewer);
    await show();
    await press('Turn on');
    await screen.findByText('Notifications are on for this device.');
    expect(calls.map(([call]) => call).filter((call) => call.endsWith('/settings'))).toEqual([]);
  });

  it('when permission is denied, explains how to allow notifications', async () => {
    const device = useDevice({ response: 'denied' });
    stubHub(admin);
    await show();
    await press('Turn on');
    await screen.findByText('Notifications are blocked');
    expect(device.isSubscribed()).toBe(false);
  });

  it('with a subscription for an old key of the hub, can be turned on again', async () => {
    const device = useDevice({ permission: 'granted', subscribedWith: [9, 9] });
    stubHub(admin);
    await show();
    await press('Turn on');
    await screen.findByText('Notifications are on for this device.');
    expect(device.isSubscribed()).toBe(true);
  });

  it('when already on, subscribes again and unsubscribes when turned off', async () => {
    const device = useDevice({ permission: 'granted', subscribedWith: [1, 2, 3, 4] });
    const { calls } = stubHub(admin);
    await show();
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

  it('when off for the whole hub, offers to turn them on', async () => {
    useDevice({ permission: 'granted', subscribedWith: [1, 2, 3, 4] });
    const silent = {
      ...admin,
      'GET /api/ui/settings': () => ({
        body: { general: { enable_notifications: false }, web_push: { enabled: true } },
      }),
    };
    const { calls } = stubHub(silent);
    await show();
    await press('Turn on for the hub');
    await waitFor(() => expect(screen.queryByText('Notifications are off for the whole hub')).toBeNull());
    expect(calls.map(([call]) => call)).toContain('PATCH /api/ui/settings');
  });

  it('with too many devices, shows the limit', async () => {
    useDevice({});
    const full = {
      ...admin,
      'POST /api/ui/push/subscribe': () => ({
        status: 409,
        body: { error: 'No more.', code: 'too_many_subscriptions', request_id: 'r' },
      }),
    };
    stubHub(full);
    await show();
    await press('Turn on');
    expect((await screen.findByRole('alert')).textContent).toContain('Too many devices');
  });

  it.each([
    [true, 'Sent. If it does not appear'],
    [false, 'The test reached no device'],
  ])('after a test with ok %s, shows the result', async (ok, words) => {
    useDevice({ permission: 'granted', subscribedWith: [1, 2, 3, 4] });
    stubHub({
      ...admin,
      'POST /api/ui/notify/test': () => ({
        body: { message: '', results: [{ channel: 'web_push', ok, error: null }] },
      }),
    });
    await show();
    await press('Send a test notification');
    await screen.findByText(words, { exact: false });
  });

  it('without a secure connection, explains that HTTPS is needed', async () => {
    useDevice({});
    vi.stubGlobal('isSecureContext', false);
    stubHub(admin);
    await show();
    await screen.findByText('Secure connection (HTTPS) needed');
    expect(screen.queryByRole('button')).toBeNull();
  });
});
