import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { findObstacle, fromBase64Url, isKeyOf, type PushObstacle, readEnvironment } from './push-support';

/** State of notifications on this device. */
export type DeviceState = 'on' | 'off' | PushObstacle;

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  const body = { subscription: { endpoint: endpoint ?? '', keys: { p256dh, auth } } };
  await unwrap(hub.POST('/api/ui/push/subscribe', { body }));
}

async function hubKey(): Promise<Uint8Array<ArrayBuffer>> {
  const { vapid_public_key } = await unwrap(hub.GET('/api/ui/push/vapid-public'));
  return fromBase64Url(vapid_public_key);
}

/** Reads the state of this device; registers an active subscription again, in case the hub lost it. */
async function readDevice(): Promise<DeviceState> {
  const obstacle = findObstacle(readEnvironment());
  if (obstacle !== undefined) return obstacle;
  const subscription = await currentSubscription();
  if (subscription === null || !isKeyOf(subscription.options, await hubKey())) return 'off';
  await register(subscription);
  return 'on';
}

const workerTimeoutMs = 15_000;

/** Waits for the service worker, which may still be installing. */
async function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('there is no service worker')), workerTimeoutMs);
  });
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Asks for permission and subscribes. Returns the new state. */
export async function switchOn(): Promise<DeviceState> {
  // First, as browsers require a user gesture.
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const applicationServerKey = await hubKey();
  // Browsers refuse a second subscription with another key.
  const former = await currentSubscription();
  if (former !== null && !isKeyOf(former.options, applicationServerKey)) await former.unsubscribe();
  const { pushManager } = await worker();
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  return 'on';
}

/** Unsubscribes this device. */
export async function switchOff(): Promise<DeviceState> {
  const subscription = await currentSubscription();
  if (subscription !== null) {
    await subscription.unsubscribe();
    await unwrap(hub.POST('/api/ui/push/unsubscribe', { body: { endpoint: subscription.endpoint } }));
  }
  return 'off';
}

/** State of this device. */
export const deviceQuery = queryOptions({ queryKey: ['device'], queryFn: readDevice, retry: false });

/** Whether the hub sends notifications; only admins may read it. */
export const hubNotifiesQuery = queryOptions({
  queryKey: ['hub-tells'],
  queryFn: async ({ signal }) => {
    const { general, web_push } = await unwrap(hub.GET('/api/ui/settings', { signal }));
    return general.enable_notifications && web_push.enabled;
  },
});

/** Switches notifications of the hub on. */
export async function enableHubNotifications(): Promise<void> {
  const body = { general: { enable_notifications: true }, web_push: { enabled: true } };
  await unwrap(hub.PATCH('/api/ui/settings', { body }));
}

/** Sends a test notification to all devices. Returns whether web push delivered it. */
export async function sendTest(): Promise<boolean> {
  const { results } = await unwrap(hub.POST('/api/ui/notify/test'));
  return results.some(({ channel, ok }) => channel === 'web_push' && ok);
}
