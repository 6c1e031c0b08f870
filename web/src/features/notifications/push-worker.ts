/// <reference lib="webworker" />
/** Payload of a push message. */
interface PushedMessage {
  readonly title: string;
  readonly body: string;
  /** Notifications with the same tag replace each other. */
  readonly tag: string;
  /** Page to open, root-relative or absolute. */
  readonly url: string;
  readonly icon?: string;
  readonly image?: string;
}

/** Resolves a URL within the hub; returns the start page for any other. */
function pageOf(address: string, scope: string): string {
  if (!URL.canParse(address, scope)) return scope;
  const { href, origin } = new URL(address, scope);
  return origin === new URL(scope).origin && href.startsWith(scope) ? href : scope;
}

const badge = 'icon-192.png';

/** Shows push messages and opens their pages. */
export function listenForPushes(worker: ServiceWorkerGlobalScope): void {
  const { scope } = worker.registration;
  const resolve = (address: string) => new URL(address, scope).href;
  worker.addEventListener('push', (event) => {
    if (event.data === null) return;
    const { title, body, tag, url, icon = badge, image } = event.data.json() as PushedMessage;
    const shown = { body, tag, icon: resolve(icon), badge: resolve(badge), data: pageOf(url, scope) };
    const picture = image !== undefined && { image: resolve(image) };
    event.waitUntil(worker.registration.showNotification(title, { ...shown, ...picture }));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage(worker.clients, pageOf(String(event.notification.data), scope)));
  });
  worker.addEventListener('pushsubscriptionchange', (event) => {
    const change = event as ExtendableEvent & SubscriptionChange;
    change.waitUntil(renewSubscription(worker.registration, change));
  });
}

/** Focuses an open page with the URL, else navigates another page, else opens a window. */
async function openPage(clients: Clients, url: string): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same = pages.find((page) => page.url === url);
  if (same !== undefined) return void (await same.focus());
  // Only controlled pages can be navigated.
  const [own] = await clients.matchAll({ type: 'window' });
  if (own === undefined) return void (await clients.openWindow(url));
  await own.navigate(url);
  await own.focus();
}

/** Properties of a `pushsubscriptionchange` event. */
interface SubscriptionChange {
  readonly newSubscription?: PushSubscription | null;
  readonly oldSubscription?: PushSubscription | null;
}

async function post(address: URL, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the hub responded with status ${response.status}`);
}

/** Replaces a subscription that the browser has ended. */
export async function renewSubscription(
  { scope, pushManager }: ServiceWorkerRegistration,
  { newSubscription, oldSubscription }: SubscriptionChange,
): Promise<void> {
  const options = oldSubscription?.options;
  const subscription = newSubscription ?? (options && (await pushManager.subscribe(options)));
  if (!subscription) return;
  await post(new URL('api/ui/push/subscribe', scope), { subscription });
  if (oldSubscription && oldSubscription.endpoint !== subscription.endpoint) {
    await post(new URL('api/ui/push/unsubscribe', scope), { endpoint: oldSubscription.endpoint });
  }
}
