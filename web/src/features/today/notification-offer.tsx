import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import { readStored, store } from '../../lib/storage';
import { useOnce } from '../../lib/use-once';
import { deviceQuery } from '../notifications/device';

const NotificationHint = lazyComponent(() =>
  import('../notifications/notification-hint').then((file) => file.NotificationHint),
);

const storageKey = 'birdhub.notification-hint';

/** Offers notifications on a device without them, until dismissed. */
export function NotificationOffer() {
  const [isDone, setDone] = useState(() => readStored(storageKey) === 'true');
  const dismiss = () => {
    setDone(true);
    store(storageKey, 'true');
  };
  const { data: state } = useQuery({ ...deviceQuery, enabled: !isDone });
  // Stays visible while notifications are being turned on.
  const isOffered = useOnce(state === 'off' || state === 'needs_home_screen');
  if (isDone || !isOffered) return null;
  return (
    <PartBoundary>
      <NotificationHint onDismiss={dismiss} />
    </PartBoundary>
  );
}
