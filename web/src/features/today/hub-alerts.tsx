import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { SystemLink } from './system-link';

/** Says why birds may be missing from the page, and what to do about it. */
export function HubAlerts() {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery({ ...statusQuery, refetchInterval: statusIntervalMs });
  if (status === undefined) return null;
  const lastSeen = status.processor_last_seen;
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
    </>
  );
}
