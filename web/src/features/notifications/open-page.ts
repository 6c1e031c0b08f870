/// <reference lib="webworker" />
/** Brings a page of the hub to the front: the one that is open already, else another one led there, else a new one. */
export async function openPage(clients: Clients, url: string): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same = pages.find((page) => page.url === url);
  if (same !== undefined) return void (await same.focus());
  // Only pages of this service worker may be led elsewhere.
  const [own] = await clients.matchAll({ type: 'window' });
  if (own === undefined) return void (await clients.openWindow(url));
  await own.navigate(url);
  await own.focus();
}
