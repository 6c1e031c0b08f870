import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';

import { useOnce } from '../../lib/use-once';
import { deviceQuery } from '../notifications/device';

const NotificationHint = lazyComponent(() =>
  import('../notifications/notification-hint').then((file) => file.NotificationHint),
);

/** Offers notifications on a device without them, until dismissed. */
export function NotificationOffer() {
  const [isDone, setDone] = useLocalStorage({ key: 'birdhub.notification-hint', defaultValue: false });
  const { data: state } = useQuery({ ...deviceQuery, enabled: !isDone });
  // Stays visible while notifications are being turned on.
  const isOffered = useOnce(state === 'off' || state === 'needs_home_screen');
  if (isDone || !isOffered) return null;
  return (
    <PartBoundary>
      <NotificationHint onDismiss={() => setDone(true)} />
    </PartBoundary>
  );
}
