import { hub, unwrap } from '../../api/client';
import { fromBase64Url, isKeyOf } from './application-key';
import { type Hindrance, hindranceOf, surroundings } from './push-support';

/** Whether this device is sent messages, or why it cannot be. */
export type DeviceState = 'on' | 'off' | Hindrance;

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

/** How this device stands; one that is on is made known to the hub again, which may have lost it. */
export async function readDevice(): Promise<DeviceState> {
  const hindrance = hindranceOf(surroundings());
  if (hindrance !== undefined) return hindrance;
  const subscription = await currentSubscription();
  if (subscription === null || !isKeyOf(subscription.options, await hubKey())) return 'off';
  await register(subscription);
  return 'on';
}

const patienceMs = 15_000;

/** The service worker that shows messages; at the first visit it may still be on its way. */
async function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('there is no service worker')), patienceMs);
  });
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Asks for permission and has messages sent to this device; answers how it stands then. */
export async function switchOn(): Promise<DeviceState> {
  // First, as a browser asks only in answer to a tap.
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const applicationServerKey = await hubKey();
  // With another key than the hub's, a browser refuses to subscribe anew.
  const former = await currentSubscription();
  if (former !== null && !isKeyOf(former.options, applicationServerKey)) await former.unsubscribe();
  const { pushManager } = await worker();
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  return 'on';
}

/** Ends messages to this device. */
export async function switchOff(): Promise<DeviceState> {
  const subscription = await currentSubscription();
  if (subscription !== null) {
    await subscription.unsubscribe();
    await unwrap(hub.POST('/api/ui/push/unsubscribe', { body: { endpoint: subscription.endpoint } }));
  }
  return 'off';
}
