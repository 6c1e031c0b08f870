import { Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { useOnce } from '../../lib/use-once';
import { deviceQuery } from '../notifications/device';
import { Card, SourcesLink, SystemLink } from './card';
import { FeederCard } from './feeder-card';
import { SetupCard } from './setup-card';
import { SkyCard } from './sky-card';

const NotificationHint = lazy(() =>
  import('../notifications/notification-hint').then((file) => ({ default: file.NotificationHint })),
);

interface AsideCardsProps {
  readonly day: string;
  /** Whether weather and sun stand beside the hero. */
  readonly isSkyAbove: boolean;
}

/** Cards beside the day: sky, feeder, hub. */
export function AsideCards({ day, isSkyAbove }: AsideCardsProps) {
  return (
    <Stack gap="md">
      {!isSkyAbove && <SkyCard day={day} />}
      <FeederCard />
      <HubCard />
      <SetupCard day={day} />
      <NotificationOffer />
    </Stack>
  );
}

/** Offers notifications on a device without them, until dismissed. */
function NotificationOffer() {
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

/** More than these are on their own page. */
const maxSources = 5;

/** State of the detector, and of the programs that birds are read from. */
function HubCard() {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery({ ...statusQuery, refetchInterval: statusIntervalMs });
  const lastSeen = status?.processor_last_seen;
  const sources = status?.sources ?? [];
  // Whoever has sources may do without a detector.
  const hasProcessor = status?.processor !== 'unknown';
  if (!hasProcessor && sources.length === 0) return null;
  return (
    <Card
      title={t(hasProcessor ? 'watching' : 'watching_sources')}
      aside={sources.length === 0 ? <SystemLink /> : <SourcesLink />}
    >
      {hasProcessor && (
        <>
          <Text>{status ? t(`processor_${status.processor}`) : ' '}</Text>
          <Text size="sm" c="dimmed">
            {lastSeen ? t('last_heard', { ago: ago(lastSeen, now) }) : ' '}
          </Text>
        </>
      )}
      {sources.slice(0, maxSources).map(({ id, name, state }) => (
        <Text key={id} style={{ overflowWrap: 'anywhere' }}>
          {t('source', { name, state: t(`source_${state}`) })}
        </Text>
      ))}
    </Card>
  );
}
