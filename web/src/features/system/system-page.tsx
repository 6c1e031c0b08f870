import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { ActivitySection } from './activity-section';
import { DeliveriesSection } from './deliveries-section';
import { JobsSection } from './jobs-section';
import { LogsSection } from './logs-section';
import { MachineSection } from './machine-section';
import { StatusSection } from './status-section';
import { StorageSection } from './storage-section';

/** Status, activity, storage, jobs, machine, deliveries and logs. */
export function SystemPage() {
  const { t } = useTranslation('system');
  return (
    <Page isWide title={t('title')}>
      <Stack gap="lg">
        <StatusSection />
        <ActivitySection />
        <StorageSection />
        <JobsSection />
        <MachineSection />
        <DeliveriesSection />
        <LogsSection />
      </Stack>
    </Page>
  );
}
