import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { SourcesLink, SystemLink } from './card';

/** Warnings about why birds may be missing. */
export function HubAlerts() {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery({ ...statusQuery, refetchInterval: statusIntervalMs });
  if (status === undefined) return null;
  const lastSeen = status.processor_last_seen;
  const namesOf = (state: 'error' | 'silent') =>
    status.sources.filter((source) => source.state === state).map(({ name }) => name);
  const [failing, silent] = [namesOf('error'), namesOf('silent')];
  return (
    <>
      {status.storage === 'error' && (
        <Alert color="red" title={t('storage_full')}>
          {t('storage_full_hint')} <SystemLink />
        </Alert>
      )}
      {status.processor === 'error' && lastSeen !== null && (
        <Alert color="yellow" title={t('processor_away', { ago: ago(lastSeen, now) })}>
          {t('processor_away_hint')} <SystemLink />
        </Alert>
      )}
      {failing.length > 0 && (
        <Alert color="red" title={t('sources_failing', { count: failing.length, names: failing.join(', ') })}>
          {t('sources_failing_hint')} <SourcesLink />
        </Alert>
      )}
      {silent.length > 0 && (
        <Alert color="yellow" title={t('sources_silent', { count: silent.length, names: silent.join(', ') })}>
          {t('sources_silent_hint')} <SourcesLink />
        </Alert>
      )}
    </>
  );
}
