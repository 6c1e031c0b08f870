import { Button, Group, List, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconLockOpen } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { refetchAll, useHasRole } from '../session/access';
import { ensureRole } from '../session/ensure-role';
import { type DatasetOptions, defaultDataset, toDatasetQuery } from './dataset';
import { type Download, type SaveProgress, useDatasetDownload } from './dataset-download';
import { DatasetFields } from './dataset-fields';
import classes from './dataset-section.module.css';
import { Section } from './section';

const debounceMs = 400;

/** Data set for training a detector: options, preview, download. */
export function DatasetSection() {
  const { t } = useTranslation('reports');
  const [options, setOptions] = useState(defaultDataset);
  const [counted] = useDebouncedValue(options, debounceMs);
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

type Preview = components['schemas']['DatasetPreview'];

const reasons = [
  'audio',
  'generic_species',
  'no_box',
  'below_min_images',
  'media_missing',
  'undecodable',
  'on_both_sides',
] as const;

interface DatasetCountsProps {
  readonly preview: Preview | undefined;
  readonly error: Error | null;
  readonly isCounting: boolean;
  readonly format: DatasetOptions['format'];
}

/** Preview of a data set: images by species, and skipped detections. */
function DatasetCounts({ preview, error, isCounting, format }: DatasetCountsProps) {
  const { t } = useTranslation('reports');
  const { number } = useTimeFormat();
  if (error) return <Text role="alert">{problemText(t, error)}</Text>;
  if (preview === undefined) return <Skeleton height={200} />;
  const { total_images: count, train, val, classes: kinds, skipped } = preview;
  const left = reasons.filter((reason) => (skipped[reason] ?? 0) > 0);
  return (
    <Stack gap="sm" aria-busy={isCounting} style={{ opacity: isCounting ? 0.6 : 1 }}>
      <Text aria-live="polite">
        <Text span size="xl" fw={650}>
          {t(format === 'crops' ? 'crops' : 'frames', { count, number: number(count) })}
        </Text>
        {count > 0 && (
          <Text span display="block">
            {t('sides', { train: number(train), val: number(val) })}
          </Text>
        )}
      </Text>
      {count > 0 && <ClassList kinds={kinds} />}
      {left.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t('left_out')}
          </Text>
          <List size="sm" c="dimmed">
            {left.map((reason) => (
              <List.Item key={reason}>
                {t(`skipped_${reason}`, { number: number(skipped[reason] ?? 0) })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

function ClassList({ kinds }: { readonly kinds: Preview['classes'] }) {
  const { t } = useTranslation('reports');
  const { number } = useTimeFormat();
  const nameOf = useSpeciesName();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <ul className={classes['kinds']} tabIndex={0} aria-label={t('by_species')}>
      {kinds
        .toSorted((one, other) => other.images - one.images)
        .map(({ species_id, name, images }) => (
          <Group key={species_id} component="li" justify="space-between" wrap="nowrap">
            <span>{nameOf(name)}</span>
            <span className={classes['number']}>{number(images)}</span>
          </Group>
        ))}
    </ul>
  );
}

const megabyte = 1_000_000;
/** Files in the archive per image. */
const filesPerPicture = { crops: 1, yolo: 2, coco: 1 } as const;

interface DatasetProgressProps {
  readonly progress: SaveProgress;
  /** Number of images. */
  readonly images: number;
  readonly format: DatasetOptions['format'];
  readonly onCancel: () => void;
}

/** Progress by number of files, as the size of a streamed archive is unknown. */
function DatasetProgress({ progress, images, format, onCancel }: DatasetProgressProps) {
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

/** Outcome of a download. */
function DownloadOutcome({ download }: { readonly download: Download }) {
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

/** Preview of a data set. */
const datasetPreviewQuery = (options: DatasetOptions) =>
  queryOptions({
    queryKey: ['dataset', options],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/dataset/preview', { params: { query: toDatasetQuery(options) }, signal })),
    placeholderData: (previous) => previous,
  });
