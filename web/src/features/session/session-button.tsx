import { useQuery } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import { accessQuery } from './access';

const SessionSwitch = lazyComponent(() => import('./session-switch').then((file) => file.SessionSwitch));

/** Locks or unlocks the hub for this browser; hidden while the hub has no password. */
export function SessionButton() {
  const { data: needs } = useQuery({
    queryKey: ['requires-password'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/settings/requires-password', { signal })),
  });
  const { data: access } = useQuery(accessQuery);
  if (!needs?.requires || access === undefined) return null;
  return (
    <PartBoundary>
      <SessionSwitch access={access} />
    </PartBoundary>
  );
}
