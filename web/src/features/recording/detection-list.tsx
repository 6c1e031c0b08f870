import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DetectionRow } from './detection-row';
import type { Detection } from './recording-queries';
import { trackColor } from './track-colors';
import type { Player } from './use-player';

interface DetectionListProps {
  readonly detections: readonly Detection[];
  /** As the hub names it; null where the recording has no sound. */
  readonly spectrogramUrl: string | null;
  readonly player: Player;
  readonly chosenId: number | undefined;
  readonly onChoose: (id: number | undefined) => void;
}

/** What was seen and heard in a recording, in order of time. */
export function DetectionList({
  detections,
  spectrogramUrl,
  player,
  chosenId,
  onChoose,
}: DetectionListProps) {
  const { t } = useTranslation('recording');
  const likely = [...new Set(detections.map(({ species_id }) => species_id))];
  return (
    <section aria-labelledby="detections">
      <Title order={2} size="h4" mb="xs" id="detections">
        {t('detections', { count: detections.length })}
      </Title>
      {detections.length === 0 && <Text c="dimmed">{t('no_detections')}</Text>}
      <Stack component="ol" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
        {detections.map((detection, place) => (
          <DetectionRow
            key={detection.id}
            detection={detection}
            spectrogramUrl={spectrogramUrl}
            player={player}
            color={trackColor(place)}
            isChosen={detection.id === chosenId}
            likely={likely}
            onChoose={() => onChoose(detection.id === chosenId ? undefined : detection.id)}
          />
        ))}
      </Stack>
    </section>
  );
}
