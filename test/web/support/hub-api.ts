import type { HubAddress } from '@birdhub/testing/hub';

/** The day before today in the hub's zone, which the demo filled whole; another by how many days it is ago, if negative to come. */
export function yesterday(daysAgo = 1): string {
  const now = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date());
  return new Date(Date.parse(now) - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

/** The response of a route below `/api/ui`. @throws when that is no success */
export async function readHub<T>(hub: HubAddress, path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${hub.baseUrl}/api/ui${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Changes settings, as the admin where there is a password. */
export async function changeSettings(hub: HubAddress, change: object, cookie = ''): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) };
  await readHub(hub, '/settings', { method: 'PATCH', headers, body: JSON.stringify(change) });
}

/** The cookie of a session that a password opened. */
export async function unlockAs(hub: HubAddress, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const url = `${hub.baseUrl}/api/ui/settings/verify-password`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ password }) });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}
