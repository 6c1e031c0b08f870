import { Anchor, Button, Grid, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../api/problem';
import { Page } from '../app/page';
import { DeviceNotifications } from '../notifications/device-notifications';
import { Empty, Failure, Loading } from '../states/states';
import { FeederTest } from './feeder-test';
import { groupNames, type SettingGroup } from './setting-groups';
import { SettingsGroup } from './settings-group';
import classes from './settings-page.module.css';
import { settingsQuery } from './use-settings';

const besides: Partial<Record<SettingGroup, (hasChanges: boolean) => ReactNode>> = {
  feeder: (hasChanges) => <FeederTest hasChanges={hasChanges} />,
};

const nothing = () => null;

function Sections() {
  const { t } = useTranslation('settings');
  // The page's <base> makes a bare fragment lead to the start page.
  const show = (group: SettingGroup) => document.getElementById(group)?.scrollIntoView();
  return (
    <Stack component="nav" gap={6} aria-label={t('sections')} className={classes['sections']}>
      {groupNames.map((group) => (
        <Anchor
          key={group}
          component="button"
          type="button"
          ta="start"
          size="sm"
          py={2}
          onClick={() => show(group)}
        >
          {t(`group.${group}`)}
        </Anchor>
      ))}
    </Stack>
  );
}

function SettingsForms() {
  const { t } = useTranslation('settings');
  const { data, error, isFetching, refetch } = useQuery(settingsQuery);
  if (data !== undefined) {
    return (
      <Stack>
        {groupNames.map((group) => (
          <SettingsGroup key={group} group={group} settings={data}>
            {besides[group] ?? nothing}
          </SettingsGroup>
        ))}
      </Stack>
    );
  }
  if (error === null || isFetching) return <Loading rows={4} height={220} />;
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

/** How the hub works, and where it is told so. This device's messages can be switched on without a password. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  return (
    <Page title={t('title')}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 3 }} visibleFrom="lg">
          <Sections />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 9 }}>
          <Stack maw={760}>
            <DeviceNotifications />
            <SettingsForms />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
