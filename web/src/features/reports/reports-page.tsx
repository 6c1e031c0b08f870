import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { DatasetSection } from './dataset-section';
import { ExportSection } from './export-section';
import { ReportSection } from './report-section';
import { ScienceSection } from './science-section';

/** Report, export and data set. */
export function ReportsPage() {
  const { t } = useTranslation('reports');
  return (
    <Page title={t('title')}>
      <Stack gap="lg">
        <ReportSection />
        <ExportSection />
        <ScienceSection />
        <DatasetSection />
      </Stack>
    </Page>
  );
}
