import { queryOptions, useQuery } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { type Role, reportUnlock, requestUnlock } from '../../api/unlock';

/** The role of this browser. */
export const accessQuery = queryOptions({
  queryKey: ['access'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/settings/check-access', { signal })),
});

/** Rights of this browser. */
export type Access = Awaited<ReturnType<NonNullable<typeof accessQuery.queryFn>>>;

function allows(access: Access | undefined, role: Role): boolean {
  if (!access?.unlocked) return false;
  return role === 'contributor' || access.role === 'admin';
}

/** Whether this browser has a role now. Guarded actions stay visible and ask for the password when used. */
export function useHasRole(role: Role): boolean {
  return allows(useQuery(accessQuery).data, role);
}

/** Asks for the password where needed. @throws Problem when the hub does not respond */
export async function requestRole(role: Role): Promise<boolean> {
  const access = await queryClient.fetchQuery({ ...accessQuery, staleTime: 0 });
  return allows(access, role) || requestUnlock(role);
}

/** Unlocks with the admin password that was just stored. Without success, the next call asks for it. */
export async function unlockWith(password: string): Promise<void> {
  await unwrap(hub.POST('/api/ui/settings/verify-password', { body: { password } })).then(
    reportUnlock,
    () => undefined,
  );
}

/** Refetches all data after the role has changed. */
export async function refetchAll(): Promise<void> {
  await queryClient.invalidateQueries();
}
