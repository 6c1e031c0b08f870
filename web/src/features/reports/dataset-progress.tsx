import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import type { DatasetOptions } from './dataset-options';
import type { SaveProgress } from './save-stream';
import type { Download } from './use-dataset-download';

const megabyte = 1_000_000;
/** Files of the archive beside each picture. */
const filesPerPicture = { crops: 1, yolo: 2, coco: 1 } as const;

interface DatasetProgressProps {
  readonly progress: SaveProgress;
  /** How many pictures there will be. */
  readonly images: number;
  readonly format: DatasetOptions['format'];
  readonly onCancel: () => void;
}

/** How far a download is: by its files, as nobody knows the bytes of what is made while it comes. */
export function DatasetProgress({ progress, images, format, onCancel }: DatasetProgressProps) {
  const { t } = useTranslation('reports');
  const { number } = useTimeFormat();
  const share = Math.min(1, progress.files / Math.max(1, images * filesPerPicture[format]));
  return (
    <Stack gap="xs">
      <Progress value={share * 100} aria-label={t('downloading')} size="lg" />
      <Group justify="space-between">
        <Text size="sm">{t('megabytes', { size: number(progress.bytes / megabyte, 1) })}</Text>
        <Button variant="default" size="compact-md" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What became of a download. */
export function DownloadOutcome({ download }: { readonly download: Download }) {
  const { t } = useTranslation('reports');
  const { state } = download;
  return (
    <Text size="sm" role="status">
      {state === 'failed'
        ? problemText(t, download.error)
        : state === 'idle' || state === 'running'
          ? ''
          : t(`download_${state}`)}
    </Text>
  );
}
