import type { TestHub } from '../../support/hub.js';

/** The day before today in the hub's zone, which the demo filled whole. */
export function yesterday(): string {
  const now = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date());
  return new Date(Date.parse(now) - 86_400_000).toISOString().slice(0, 10);
}

/** What a route below `/api/ui` answers. @throws when that is no success */
export async function readHub<T>(hub: TestHub, path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(`${hub.baseUrl}/api/ui${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Changes settings, as the admin where there is a password. */
export async function changeSettings(hub: TestHub, change: object, cookie = ''): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) };
  await readHub(hub, '/settings', { method: 'PATCH', headers, body: JSON.stringify(change) });
}
