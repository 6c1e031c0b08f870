import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { readDevice } from './this-device';

/** How this device stands. */
export const deviceQuery = queryOptions({ queryKey: ['device'], queryFn: readDevice, retry: false });

/** Whether the hub tells of visits at all, which only an admin may know. */
export const hubTellsQuery = queryOptions({
  queryKey: ['hub-tells'],
  queryFn: async ({ signal }) => {
    const { general, web_push } = await unwrap(hub.GET('/api/ui/settings', { signal }));
    return general.enable_notifications && web_push.enabled;
  },
});

/** Has the hub tell of visits. */
export async function letHubTell(): Promise<void> {
  const body = { general: { enable_notifications: true }, web_push: { enabled: true } };
  await unwrap(hub.PATCH('/api/ui/settings', { body }));
}

/** Sends a message to everybody. @returns whether it reached the devices */
export async function sendTest(): Promise<boolean> {
  const { results } = await unwrap(hub.POST('/api/ui/notify/test'));
  return results.some(({ channel, ok }) => channel === 'web_push' && ok);
}
