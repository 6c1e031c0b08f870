import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useOnce } from '../../lib/use-once';
import { deviceQuery } from '../notifications/device';

const NotificationHint = lazy(() =>
  import('../notifications/notification-hint').then((file) => ({ default: file.NotificationHint })),
);

/** Offers notifications on a device without them, until dismissed. */
export function NotificationOffer() {
  const [isDone, setDone] = useLocalStorage({ key: 'birdhub.notification-hint', defaultValue: false });
  const { data: state } = useQuery({ ...deviceQuery, enabled: !isDone });
  // Stays visible while notifications are being turned on.
  const isOffered = useOnce(state === 'off' || state === 'needs_home_screen');
  if (isDone || !isOffered) return null;
  return (
    <Suspense>
      <NotificationHint onDismiss={() => setDone(true)} />
    </Suspense>
  );
}
