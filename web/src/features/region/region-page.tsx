import { Alert, Anchor, Button } from '@mantine/core';
import { IconBinoculars, IconClockExclamation } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { Comparison } from './comparison';

const regionQuery = queryOptions({
  queryKey: ['region'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/region-comparison', { signal })),
});

/** The birds of the hub beside those of its region. */
export function RegionPage() {
  const { t } = useTranslation('region');
  const { data, error, refetch } = useQuery(regionQuery);
  const isUnheard = data?.stale && data.regionTopCount === 0;
  return (
    <Page title={t('title')}>
      {data?.configured ? (
        <>
          {data.stale && (
            <Alert color="yellow" mb="md" icon={<IconClockExclamation aria-hidden />}>
              {t(isUnheard ? 'no_answer' : 'stale')}
            </Alert>
          )}
          {!isUnheard && <Comparison comparison={data} />}
        </>
      ) : data ? (
        <NotConfigured />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={8} />
      )}
    </Page>
  );
}

function NotConfigured() {
  const { t } = useTranslation('region');
  return (
    <Empty
      icon={IconBinoculars}
      title={t('not_configured')}
      action={<Button renderRoot={(props) => <Link to="/settings" {...props} />}>{t('to_settings')}</Button>}
    >
      {t('not_configured_hint')}{' '}
      <Anchor href="https://ebird.org/api/keygen" target="_blank" rel="noreferrer" underline="always">
        {t('get_key')}
      </Anchor>
    </Empty>
  );
}
