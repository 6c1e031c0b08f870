import { Anchor, Box, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SoundPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';
import type { Detection } from './recording-queries';
import { type Scope, useReview } from './use-review';

interface DetectionPanelProps {
  readonly detection: Detection;
  readonly spectrogramUrl: string | null;
  readonly recordingSeconds: number;
  /** Ids of species that it may well be. */
  readonly likely: readonly number[];
}

/** One detection from near: its picture, and a person's word on what it shows. */
export function DetectionPanel(props: DetectionPanelProps) {
  const { detection, likely, spectrogramUrl, recordingSeconds } = props;
  const { t } = useTranslation('recording');
  const nameOf = useSpeciesName();
  const [scope, setScope] = useState<Scope>('single_track');
  const { confirm, correct, isBusy } = useReview();
  const { id, species_id, source, start_time: from, end_time: to, reviewed } = detection;
  const name = nameOf(detection.species_name);
  const panel = useRef<HTMLDivElement>(null);
  // On a phone it opens below the fold, and its field behind the bar.
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <Stack ref={panel} gap="sm" pt="xs">
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <Box w={132} flex="none">
          {source === 'audio' ? (
            <SoundPicture
              url={spectrogramUrl}
              stretch={{ from, to }}
              recordingSeconds={recordingSeconds}
              label={t('heard_only')}
            />
          ) : (
            <SpeciesPicture url={`/api/ui/detections/${id}/crop`} alt={name} />
          )}
        </Box>
        <Stack gap={6} align="flex-start">
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/species/$id" params={{ id: String(species_id) }} {...props} />}
          >
            {t('about', { name })}
          </Anchor>
          {source === 'audio' && <Text size="sm">{t('heard_only')}</Text>}
          {detection.detection_provider !== null && (
            <Text size="xs" c="dimmed">
              {t('found_by', { provider: detection.detection_provider })}
            </Text>
          )}
          {reviewed ? (
            <Text size="sm" c="dimmed">
              {t('reviewed')}
            </Text>
          ) : (
            <Button
              size="xs"
              variant="light"
              leftSection={<IconCheck size={16} aria-hidden />}
              disabled={isBusy}
              onClick={() => confirm.mutate(id)}
            >
              {t('confirm')}
            </Button>
          )}
        </Stack>
      </Group>
      <SpeciesChoice
        label={t('other_species')}
        value={null}
        likely={likely}
        without={[species_id]}
        onChoose={(species) => correct.mutate({ id, species, scope })}
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('scope')}
        value={scope}
        onChange={setScope}
        data={[
          { value: 'single_track', label: t('scope_track') },
          { value: 'visit', label: t('scope_visit') },
        ]}
      />
    </Stack>
  );
}
