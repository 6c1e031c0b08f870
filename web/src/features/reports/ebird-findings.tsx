import { Alert, Anchor, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import { checkEbirdFile, type EbirdCheck, type EbirdConcern, isOnlyAsked } from './ebird-check';
import { type Period, windowOf } from './period';

/** What is mended in the settings. */
const inSettings: readonly EbirdConcern[] = ['country', 'state', 'protocol', 'no_location', 'no_coordinates'];

/** What eBird would say of the file, before it is downloaded. */
export function EbirdFindings({ period }: { readonly period: Period }) {
  const { t } = useTranslation('reports');
  const { zone } = useTimeFormat();
  const { data, error } = useQuery({
    queryKey: ['timeline', 'ebird-check', period, zone],
    queryFn: async ({ signal }) => {
      const query = { format: 'ebird', ...windowOf(period, zone) } as const;
      const call = hub.GET('/api/ui/timeline/export', { params: { query }, parseAs: 'text', signal });
      return checkEbirdFile(await unwrap<string>(call));
    },
    gcTime: 0,
  });
  return (
    <div aria-live="polite">
      {data ? (
        <Findings check={data} />
      ) : error ? (
        <Text role="alert">{problemText(t, error)}</Text>
      ) : (
        <Skeleton height={96} />
      )}
    </div>
  );
}

function Findings({ check }: { readonly check: EbirdCheck }) {
  const { t } = useTranslation('reports');
  const { number } = useTimeFormat();
  const { rows, checklists, species, place, findings } = check;
  if (rows === 0) return <Alert icon={<IconInfoCircle aria-hidden />}>{t('ebird_empty')}</Alert>;
  const refused = findings.filter(({ concern }) => !isOnlyAsked(concern));
  const counts = { checklists: number(checklists), species: number(species), rows: number(rows) };
  return (
    <Alert
      color={refused.length > 0 ? 'orange' : 'moss'}
      icon={refused.length > 0 ? <IconAlertTriangle aria-hidden /> : <IconCircleCheck aria-hidden />}
      title={refused.length > 0 ? t('ebird_refused') : t('ebird_fine')}
    >
      <Stack gap="xs">
        <Text size="sm">{t('ebird_counts', counts)}</Text>
        <Text size="sm">{t('ebird_place', { place })}</Text>
        {findings.length > 0 && (
          <List size="sm" spacing={4}>
            {findings.map(({ concern, rows: concerned, example }) => (
              <List.Item key={concern}>
                {t(`ebird_${concern}`, { count: concerned, example })}{' '}
                {inSettings.includes(concern) && <SettingsLink />}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm">{t('ebird_unknown')}</Text>
      </Stack>
    </Alert>
  );
}

function SettingsLink() {
  const { t } = useTranslation('reports');
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/settings" {...props} />}>
      {t('to_settings')}
    </Anchor>
  );
}
