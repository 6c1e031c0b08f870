import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { hub, unwrap } from '../../api/client';
import { accessQuery } from './access';

const SessionSwitch = lazy(() =>
  import('./session-switch').then((file) => ({ default: file.SessionSwitch })),
);

/** Locks or unlocks the hub for this browser; hidden while the hub has no password. */
export function SessionButton() {
  const { data: needs } = useQuery({
    queryKey: ['requires-password'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/settings/requires-password', { signal })),
  });
  const { data: access } = useQuery(accessQuery);
  if (!needs?.requires || access === undefined) return null;
  return (
    <Suspense>
      <SessionSwitch access={access} />
    </Suspense>
  );
}
