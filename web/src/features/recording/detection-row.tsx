import { Badge, Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconCircleCheckFilled, IconMicrophone, IconVideo } from '@tabler/icons-react';
import { type CSSProperties, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { DetectionPanel } from './detection-panel';
import classes from './detection-row.module.css';
import { positionText } from './position-text';
import type { Detection } from './recording-queries';
import { type Player, usePlayhead } from './use-player';

interface DetectionRowProps {
  readonly detection: Detection;
  readonly spectrogramUrl: string | null;
  readonly player: Player;
  readonly color: string;
  readonly isChosen: boolean;
  readonly likely: readonly number[];
  readonly onChoose: () => void;
}

/** A detection as a track through the recording; choosing it leads to its beginning and shows it from near. */
export function DetectionRow(props: DetectionRowProps) {
  const { detection, spectrogramUrl, player, color, isChosen, likely, onChoose } = props;
  const { t } = useTranslation('recording');
  const { percent } = useTimeFormat();
  const nameOf = useSpeciesName();
  const { start_time: start, end_time: end, source, confidence, reviewed } = detection;
  const isNow = usePlayhead(player.playhead, (time) => time > 0 && time >= start && time <= end);
  const share = (seconds: number) => `${Math.min(100, (seconds / Math.max(player.seconds, 0.1)) * 100)}%`;
  const Source = source === 'audio' ? IconMicrophone : IconVideo;
  return (
    <li
      className={classes['row']}
      data-now={isNow || undefined}
      style={{ '--track': color } as CSSProperties}
    >
      <UnstyledButton
        className={classes['head']}
        aria-expanded={isChosen}
        onClick={() => {
          player.seek(start);
          onChoose();
        }}
      >
        <Group gap={8} wrap="nowrap" justify="space-between">
          <Group gap={6} wrap="nowrap" miw={0}>
            <Source size={16} className={classes['source']} aria-label={t(source)} />
            <Text fw={600} size="sm" truncate>
              {nameOf(detection.species_name)}
            </Text>
            {reviewed && (
              <IconCircleCheckFilled size={16} className={classes['reviewed']} aria-label={t('reviewed')} />
            )}
          </Group>
          <Group gap={8} wrap="nowrap">
            {isNow && (
              <Badge size="xs" variant="light">
                {t('now')}
              </Badge>
            )}
            <Text size="xs" c="dimmed" className={classes['figures']}>
              {percent(confidence)} · {positionText(start)}–{positionText(end)}
            </Text>
          </Group>
        </Group>
        <span className={classes['lane']} aria-hidden="true">
          <span className={classes['track']} style={{ left: share(start), width: share(end - start) }} />
          <span className={classes['playhead']} />
        </span>
      </UnstyledButton>
      {isChosen && (
        // What the panel needs must not hide the video while it loads.
        <Suspense fallback={<Skeleton height={200} mt="xs" />}>
          <DetectionPanel
            detection={detection}
            likely={likely}
            spectrogramUrl={spectrogramUrl}
            recordingSeconds={player.seconds}
          />
        </Suspense>
      )}
    </li>
  );
}
