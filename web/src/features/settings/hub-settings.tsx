import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Empty, Failure, Loading } from '../../components/states';
import { PlaceCard } from './place-card';
import type { SettingGroup } from './setting-groups';
import { SettingsGroup } from './settings-group';
import { settingsQuery } from './use-settings';

/** A group of the hub's settings, or what stands before it: the admin password, a part that is away. */
export function HubSettings({ group }: { readonly group: SettingGroup }) {
  const { t } = useTranslation('settings');
  const { data, error, isFetching, refetch } = useQuery(settingsQuery);
  if (data !== undefined) {
    return (
      <PlaceCard place={group}>
        <SettingsGroup group={group} settings={data} />
      </PlaceCard>
    );
  }
  if (error === null || isFetching) return <Loading rows={1} height={420} />;
  if (!(error instanceof Problem) || error.status !== 403) {
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Empty
      icon={IconLock}
      title={t('locked_title')}
      action={<Button onClick={() => void refetch()}>{t('unlock')}</Button>}
    >
      {t('locked')}
    </Empty>
  );
}
