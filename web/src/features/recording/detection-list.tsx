import {
  Anchor,
  Badge,
  Box,
  Button,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconCircleCheckFilled,
  IconEye,
  IconMicrophone,
  IconPencil,
  IconPhotoDown,
  IconVideo,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { SoundPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { useNextFocus } from '../../lib/use-next-focus';
import { ensureRole } from '../session/ensure-role';
import { trackColor } from './box-overlay';
import classes from './detection-list.module.css';
import { positionText } from './playhead';
import { type Scope, useReview } from './recording-mutations';
import type { Detection } from './recording-queries';
import { type Player, usePlayhead } from './use-player';

interface DetectionListProps {
  readonly detections: readonly Detection[];
  /** Whether detections have times; false for a photo. */
  readonly hasTimes?: boolean;
  /** Null for a recording without sound. */
  readonly spectrogramUrl: string | null;
  readonly player: Player;
  readonly chosenId: number | undefined;
  readonly onChoose: (id: number | undefined) => void;
}

/** Detections of a recording by time. */
export function DetectionList({
  detections,
  hasTimes = true,
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
        {detections.map((detection, index) => (
          <DetectionRow
            key={detection.id}
            detection={detection}
            hasTimes={hasTimes}
            spectrogramUrl={spectrogramUrl}
            player={player}
            color={trackColor(index)}
            isChosen={detection.id === chosenId}
            likely={likely}
            onChoose={() => onChoose(detection.id === chosenId ? undefined : detection.id)}
          />
        ))}
      </Stack>
    </section>
  );
}

interface DetectionRowProps {
  readonly detection: Detection;
  readonly hasTimes: boolean;
  readonly spectrogramUrl: string | null;
  readonly player: Player;
  readonly color: string;
  readonly isChosen: boolean;
  readonly likely: readonly number[];
  readonly onChoose: () => void;
}

/** A detection with its track; a click seeks to its start and opens its details. */
function DetectionRow(props: DetectionRowProps) {
  const { detection, hasTimes, spectrogramUrl, player, color, isChosen, likely, onChoose } = props;
  const [isChanging, setChanging] = useState(false);
  const { t } = useTranslation('recording');
  const { percent } = useTimeFormat();
  const nameOf = useSpeciesName();
  const { start_time: start, end_time: end, source, confidence, reviewed } = detection;
  const isNow = usePlayhead(player.playhead, (time) => time > 0 && time >= start && time <= end);
  const share = (seconds: number) => `${Math.min(100, (seconds / Math.max(player.seconds, 0.1)) * 100)}%`;
  const Source = source === 'audio' ? IconMicrophone : hasTimes ? IconVideo : IconEye;
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
          setChanging(false);
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
              {percent(confidence)}
              {hasTimes && ` · ${positionText(start)}–${positionText(end)}`}
            </Text>
            <IconChevronDown size={18} className={classes['chevron']} aria-hidden />
          </Group>
        </Group>
        {hasTimes && (
          <span className={classes['timeline']} aria-hidden="true">
            <span className={classes['track']} style={{ left: share(start), width: share(end - start) }} />
            <span className={classes['playhead']} />
          </span>
        )}
      </UnstyledButton>
      <Verdicts
        detection={detection}
        isChanging={isChosen && isChanging}
        onChange={() => {
          setChanging(!(isChosen && isChanging));
          if (!isChosen || isChanging) onChoose();
        }}
      />
      {isChosen && (
        // A separate boundary, so that loading does not hide the video.
        <Suspense fallback={<Skeleton height={200} mt="xs" />}>
          <DetectionPanel
            key={String(isChanging)}
            detection={detection}
            isChanging={isChanging}
            likely={likely}
            spectrogramUrl={spectrogramUrl}
            recordingSeconds={player.seconds}
          />
        </Suspense>
      )}
    </li>
  );
}

interface VerdictsProps {
  readonly detection: Detection;
  /** Whether another species is being chosen. */
  readonly isChanging: boolean;
  readonly onChange: () => void;
}

/** Buttons to confirm the species or to choose another one. */
function Verdicts({ detection: { id, species_name, reviewed }, isChanging, onChange }: VerdictsProps) {
  const { t } = useTranslation('recording');
  const name = useSpeciesName()(species_name);
  const { confirm, isBusy } = useReview();
  const otherSpecies = useRef<HTMLButtonElement>(null);
  const confirmRef = useNextFocus(otherSpecies);
  return (
    <Group gap="xs" mt={8}>
      {!reviewed && (
        <Button
          ref={confirmRef}
          size="xs"
          variant="light"
          leftSection={<IconCheck size={16} aria-hidden />}
          aria-label={`${t('confirm')}: ${name}`}
          // Not `disabled`, which would take the focus away.
          aria-disabled={isBusy}
          data-disabled={isBusy}
          onClick={() => !isBusy && confirm.mutate(id)}
        >
          {t('confirm')}
        </Button>
      )}
      <Button
        ref={otherSpecies}
        size="xs"
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        aria-label={`${t('other_species')}: ${name}`}
        aria-expanded={isChanging}
        onClick={onChange}
      >
        {t('other_species')}
      </Button>
    </Group>
  );
}

/** Downloads the crop with species and place in its metadata; only contributors may see the place. */
async function downloadPicture(id: number): Promise<void> {
  if (await ensureRole('contributor'))
    window.location.assign(hubUrl(`/api/ui/detections/${id}/crop?metadata=1`));
}

interface DetectionPanelProps {
  readonly detection: Detection;
  /** Whether it is opened to choose another species. */
  readonly isChanging: boolean;
  readonly spectrogramUrl: string | null;
  readonly recordingSeconds: number;
  /** Ids of species to offer first. */
  readonly likely: readonly number[];
}

/** Details of a detection: picture, source, another species. */
function DetectionPanel(props: DetectionPanelProps) {
  const { detection, isChanging, likely, spectrogramUrl, recordingSeconds } = props;
  const { t } = useTranslation('recording');
  const nameOf = useSpeciesName();
  const [scope, setScope] = useState<Scope>('single_track');
  const { correct } = useReview();
  const { id, species_id, source, start_time: from, end_time: to, reviewed } = detection;
  const name = nameOf(detection.species_name);
  const panel = useRef<HTMLDivElement>(null);
  // On a phone it opens below the fold.
  useEffect(() => void panel.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <Stack ref={panel} gap="sm" pt="xs">
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <Box w={132} flex="none">
          {source === 'audio' ? (
            <SoundPicture
              url={spectrogramUrl}
              interval={{ from, to }}
              recordingSeconds={recordingSeconds}
              label={t('heard_only')}
            />
          ) : (
            <SpeciesPicture
              url={`/api/ui/detections/${id}/crop`}
              alt={name}
              thumbhash={detection.thumbhash}
              sizes="132px"
            />
          )}
        </Box>
        <Stack gap={6} align="flex-start">
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/species/$id" params={{ id: String(species_id) }} {...props} />}
          >
            {t('about', { name })}
          </Anchor>
          {source === 'audio' ? (
            <Text size="sm">{t('heard_only')}</Text>
          ) : (
            <Tooltip label={t('portal_picture_about')}>
              <Button
                size="xs"
                variant="subtle"
                px={0}
                leftSection={<IconPhotoDown size={16} aria-hidden />}
                onClick={() => void downloadPicture(id)}
              >
                {t('portal_picture')}
              </Button>
            </Tooltip>
          )}
          {detection.detection_provider !== null && (
            <Text size="xs" c="dimmed">
              {t('found_by', { provider: detection.detection_provider })}
            </Text>
          )}
          {reviewed && (
            <Text size="sm" c="dimmed">
              {t('reviewed')}
            </Text>
          )}
        </Stack>
      </Group>
      <SpeciesChoice
        label={t('other_species')}
        value={null}
        likely={likely}
        without={[species_id]}
        autoFocus={isChanging}
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
