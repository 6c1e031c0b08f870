import { Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './dataset-counts.module.css';
import type { DatasetOptions } from './dataset-options';

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

/** What a data set will have and what not, before it is downloaded. */
export function DatasetCounts({ preview, error, isCounting, format }: DatasetCountsProps) {
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
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
