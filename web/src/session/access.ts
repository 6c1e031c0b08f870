import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';
import { queryClient } from '../api/query-client';
import { askToUnlock, type Role } from './unlock-request';

/** As whom this browser may call. */
export const accessQuery = queryOptions({
  queryKey: ['access'],
  queryFn: ({ signal }) => answerOf(hub.GET('/api/ui/settings/check-access', { signal })),
});

type Access = Awaited<ReturnType<NonNullable<typeof accessQuery.queryFn>>>;

function allows(access: Access | undefined, role: Role): boolean {
  if (!access?.unlocked) return false;
  return role === 'contributor' || access.role === 'admin';
}

/** Whether this browser may act as a role now; what is guarded stays in sight and asks when it is used. */
export function useMay(role: Role): boolean {
  return allows(useQuery(accessQuery).data, role);
}

/** For links that the browser follows by itself, such as downloads: unlocks first where needed. */
export async function mayGo(role: Role): Promise<boolean> {
  const access = await queryClient.fetchQuery({ ...accessQuery, staleTime: 0 });
  return allows(access, role) || askToUnlock(role);
}

/** Who this browser is has changed: everything is asked anew. */
export async function accessChanged(): Promise<void> {
  await queryClient.invalidateQueries();
}
