import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconLockOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ensureRole, refetchAll, useHasRole } from '../session/access';
import { DatasetCounts } from './dataset-counts';
import { DatasetFields } from './dataset-fields';
import { usualDataset } from './dataset-options';
import { DatasetProgress, DownloadOutcome } from './dataset-progress';
import { datasetPreviewQuery } from './dataset-query';
import { Section } from './section';
import { useDatasetDownload } from './use-dataset-download';

const restMs = 400;

/** Pictures to train a detector with: chosen, counted, then downloaded. */
export function DatasetSection() {
  const { t } = useTranslation('reports');
  const [options, setOptions] = useState(usualDataset);
  const [counted] = useDebouncedValue(options, restMs);
  const mayCount = useHasRole('contributor');
  const {
    data: preview,
    error,
    isFetching,
  } = useQuery({ ...datasetPreviewQuery(counted), enabled: mayCount });
  const { download, start, cancel } = useDatasetDownload();
  const isCounting = isFetching || options !== counted;
  const images = preview?.total_images ?? 0;
  const unlock = async () => {
    if (await ensureRole('contributor')) await refetchAll();
  };
  return (
    <Section title={t('dataset')} about={t('dataset_about')}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <DatasetFields options={options} onChange={setOptions} />
        <Stack>
          {mayCount ? (
            <DatasetCounts preview={preview} error={error} isCounting={isCounting} format={counted.format} />
          ) : (
            <>
              <Text>{t('locked')}</Text>
              <Button
                variant="light"
                leftSection={<IconLockOpen size={20} aria-hidden />}
                onClick={() => void unlock()}
              >
                {t('unlock')}
              </Button>
            </>
          )}
          {download.state === 'running' ? (
            <DatasetProgress progress={download} images={images} format={counted.format} onCancel={cancel} />
          ) : (
            mayCount && (
              <Button
                leftSection={<IconDownload size={20} aria-hidden />}
                disabled={isCounting || images === 0}
                onClick={() => void start(options, images)}
              >
                {t('download_dataset')}
              </Button>
            )
          )}
          <DownloadOutcome download={download} />
        </Stack>
      </SimpleGrid>
    </Section>
  );
}
