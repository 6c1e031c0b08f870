/// <reference lib="webworker" />

/** What the hub sends to a browser. */
interface PushedMessage {
  readonly title: string;
  readonly body: string;
  /** Messages of one tag replace each other. */
  readonly tag: string;
  /** What is opened when the message is chosen. */
  readonly url: string;
  readonly icon?: string;
  readonly image?: string;
}

/** Shows messages that the hub pushes, also while no page is open, and leads to what they tell of. */
export function listenForPushes(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    if (event.data === null) return;
    const { title, ...shown } = event.data.json() as PushedMessage;
    const { body, tag, url, icon, image } = shown;
    const pictures = { ...(icon !== undefined && { icon }), ...(image !== undefined && { image }) };
    event.waitUntil(worker.registration.showNotification(title, { body, tag, data: url, ...pictures }));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage(worker, String(event.notification.data)));
  });
}

async function openPage(worker: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.url === new URL(url, worker.location.href).href) ?? pages[0];
  if (page === undefined) {
    await worker.clients.openWindow(url);
    return;
  }
  const focused = await page.focus();
  await focused.navigate(url);
}
