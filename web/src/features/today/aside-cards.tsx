import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../components/lazy-part';
import { WhenNear } from '../../components/when-near';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { Card, SourcesLink, SystemLink } from './card';
import { FeederCard } from './feeder-card';
import { SetupCard } from './setup-card';

const NotificationOffer = lazyComponent(() =>
  import('./notification-offer').then((file) => file.NotificationOffer),
);

/** Cards next to the day: feeder, hub. */
export function AsideCards({ day }: { readonly day: string }) {
  return (
    <Stack gap="md">
      <FeederCard />
      <HubCard />
      <SetupCard day={day} />
      <WhenNear height="7rem">
        <NotificationOffer />
      </WhenNear>
    </Stack>
  );
}

/** Further sources are only listed on their page. */
const maxSources = 5;

/** State of the detector and of the sources. */
function HubCard() {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery({ ...statusQuery, refetchInterval: statusIntervalMs });
  const lastSeen = status?.processor_last_seen;
  const sources = status?.sources ?? [];
  // A hub with sources may have no detector.
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
