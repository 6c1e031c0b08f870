/// <reference lib="webworker" />
import { openPage } from './open-page';
import { renewSubscription, type SubscriptionChange } from './renew-subscription';

/** What the hub sends to a browser. */
interface PushedMessage {
  readonly title: string;
  readonly body: string;
  /** Messages of one tag replace each other. */
  readonly tag: string;
  /** What is opened when the message is chosen, root-relative or whole. */
  readonly url: string;
  readonly icon?: string;
  readonly image?: string;
}

/** The page of the hub that an address leads to; the hub's first page for one that leads elsewhere. */
function pageOf(address: string, scope: string): string {
  if (!URL.canParse(address, scope)) return scope;
  const { href, origin } = new URL(address, scope);
  return origin === new URL(scope).origin && href.startsWith(scope) ? href : scope;
}

const badge = 'icon-192.png';

/** Shows messages that the hub pushes, also while no page is open, and leads to what they tell of. */
export function listenForPushes(worker: ServiceWorkerGlobalScope): void {
  const { scope } = worker.registration;
  const placed = (address: string) => new URL(address, scope).href;
  worker.addEventListener('push', (event) => {
    if (event.data === null) return;
    const { title, body, tag, url, icon = badge, image } = event.data.json() as PushedMessage;
    const shown = { body, tag, icon: placed(icon), badge: placed(badge), data: pageOf(url, scope) };
    const picture = image !== undefined && { image: placed(image) };
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
