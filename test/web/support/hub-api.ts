import type { HubAddress } from '@birdhub/testing/hub';

/** Returns yesterday in the hub's zone, a complete day of the demo, or the day that was `daysAgo` days ago. */
export function yesterday(daysAgo = 1): string {
  const now = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date());
  return new Date(Date.parse(now) - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the response of a route below `/api/ui`. @throws for an error status */
export async function readHub<T>(hub: HubAddress, path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${hub.baseUrl}/api/ui${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Changes settings; with a password set, `cookie` must be that of an admin session. */
export async function changeSettings(hub: HubAddress, change: object, cookie = ''): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) };
  await readHub(hub, '/settings', { method: 'PATCH', headers, body: JSON.stringify(change) });
}

/** Opens a session with a password and returns its cookie. */
export async function unlockAs(hub: HubAddress, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const url = `${hub.baseUrl}/api/ui/settings/verify-password`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ password }) });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}
