import { Alert, Anchor, Box, Group, Modal, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { prefetchPicture } from '../../components/pictures/hub-picture';
import { useShortcuts } from '../../components/shortcuts';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import type { FindableSpecies, Species } from '../../lib/rank-species';
import { useFindableSpecies } from '../../lib/species-list';
import { recordingQuery } from '../recording/recording-queries';
import { overviewQuery } from '../today/today-queries';
import { affectedDetections, emptyRecording, type Scope } from './affected-detections';
import { AnswerBar, LikelyButtons } from './answer-bar';
import { CropPane, cropSizes, VideoPane } from './evidence-panes';
import { calendarOf, likelySpecies } from './likely-species';
import { NoBirdDialog } from './no-bird-dialog';
import classes from './review.module.css';
import { reviewKeys } from './review-keys';
import { seasonsQuery, visitQuery } from './review-queries';
import { type QueueAction, type ReviewQueue, type Unknown, undoable, type Verdict } from './review-queue';

interface ReviewDeskProps {
  readonly item: Unknown;
  readonly queue: ReviewQueue;
  readonly act: (action: QueueAction) => void;
  /** Deletes the recording of a detection with its other doubtful detections. */
  readonly remove: (item: Unknown, covered: readonly number[]) => Promise<void>;
}

/** Prefetches the next detection. */
function usePreloading(next: Unknown | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (next === undefined) return;
    prefetchPicture(next.crop_url, cropSizes);
    void queryClient.prefetchQuery(recordingQuery(next.video_id));
    void queryClient.prefetchQuery(visitQuery(next));
  }, [next, queryClient]);
}

/** The current detection with its answers. */
export function ReviewDesk({ item, queue, act, remove }: ReviewDeskProps) {
  const { t } = useTranslation('review');
  const nameOf = useSpeciesName();
  const verdicts = useVerdicts(item, act);
  const { scope, setScope, recording, visitSize, isDisabled, accept, skip, choose } = verdicts;
  const likely = useLikely(item);
  const [isChanging, { open: change, close }] = useDisclosure(false);
  const [isNoBird, { open: openNoBird, close: closeNoBird }] = useDisclosure(false);
  const covered = emptyRecording(item, queue.waiting, recording);
  usePreloading(queue.waiting[1]);
  const undo = () => act({ type: 'undo' });
  useShortcuts(
    reviewKeys({
      accept: () => !isDisabled && accept(),
      choose: (index) => {
        const chosen = likely[index];
        if (chosen && !isDisabled) choose(chosen.species);
      },
      change: () => !isDisabled && change(),
      noBird: openNoBird,
      skip,
      undo,
      toggleScope: () => setScope(scope === 'visit' ? 'single_track' : 'visit'),
    }),
  );
  const name = nameOf(item.species_name);
  return (
    <>
      <div className={classes['desk']}>
        <CropPane item={item} recording={recording} alt={t('crop', { name })} />
        <VideoPane item={item} recording={recording} />
        <ReviewQuestion
          item={item}
          failure={queue.failures.get(item.id)}
          scope={scope}
          onScope={setScope}
          visitSize={visitSize}
        />
      </div>
      <AnswerBar
        likely={<LikelyButtons likely={likely} onChoose={choose} isDisabled={isDisabled} />}
        acceptLabel={t(item.review_reason === 'generic_species' ? 'leave' : 'accept', { name })}
        isDisabled={isDisabled}
        canUndo={undoable(queue) !== undefined}
        onAccept={accept}
        onChange={change}
        onNoBird={openNoBird}
        onSkip={skip}
        onUndo={undo}
      />
      <ChangeDialog
        isOpen={isChanging}
        onClose={close}
        likely={likely.map(({ species }) => species.id)}
        onChoose={choose}
      />
      <NoBirdDialog
        isOpen={isNoBird}
        onClose={closeNoBird}
        onChoose={choose}
        onEmpty={covered && (() => void remove(item, covered))}
        isDisabled={isDisabled}
      />
    </>
  );
}

interface ReviewQuestionProps {
  readonly item: Unknown;
  readonly failure: Error | undefined;
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
  /** Number of detections of its visit; undefined while loading. */
  readonly visitSize: number | undefined;
}

/** Why the detection needs review, and the scope of the verdict. */
function ReviewQuestion({ item, failure, scope, onScope, visitSize }: ReviewQuestionProps) {
  const { t } = useTranslation('review');
  const format = useTimeFormat();
  const name = useSpeciesName()(item.species_name);
  const share = format.percent(item.confidence);
  const isGeneric = item.review_reason === 'generic_species';
  return (
    <div className={classes['words']}>
      <Group justify="space-between" align="start" gap="xs">
        <div aria-live="polite">
          <Title order={2} size="h4">
            {isGeneric ? t('generic') : t('is_it', { name })}
          </Title>
          <Text size="sm" c="dimmed">
            {t(isGeneric ? 'generic_why' : item.source === 'audio' ? 'heard_why' : 'seen_why', {
              name,
              share,
            })}{' '}
            {format.moment(item.start_time)} ·{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => (
                <Link {...props} to="/videos/$id" params={{ id: String(item.video_id) }} />
              )}
            >
              {t('open_recording')}
            </Anchor>
          </Text>
        </div>
        {visitSize !== 1 && (
          <Switch
            label={visitSize === undefined ? t('whole_visit') : t('whole_visit_of', { count: visitSize })}
            checked={scope === 'visit'}
            onChange={({ currentTarget }) => onScope(currentTarget.checked ? 'visit' : 'single_track')}
          />
        )}
      </Group>
      {failure && (
        <Alert color="red" role="alert" p="xs" mt="xs">
          {t('failed_before', { reason: problemText(t, failure) })}
        </Alert>
      )}
    </div>
  );
}

interface ChangeDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly likely: readonly number[];
  readonly onChoose: (species: Species) => void;
}

/** Chooses any species. */
function ChangeDialog({ isOpen, onClose, likely, onChoose }: ChangeDialogProps) {
  const { t } = useTranslation('review');
  const choose = (species: Species) => {
    onClose();
    onChoose(species);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('change_title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      transitionProps={{ duration: 0 }}
    >
      {/* Space for the dropdown. */}
      <Box mih={400}>
        <SpeciesChoice value={null} onChoose={choose} likely={likely} autoFocus />
      </Box>
    </Modal>
  );
}

/** Scope and verdicts for the current detection. */
function useVerdicts(item: Unknown, act: (action: QueueAction) => void) {
  const [scope, setScope] = useState<Scope>('single_track');
  const recording = useQuery(recordingQuery(item.video_id)).data;
  const visit = useQuery(visitQuery(item));
  const decide = (verdict: Verdict) =>
    act({
      type: 'decide',
      verdict,
      ...affectedDetections(item, verdict, scope, { recording, visit: visit.data ?? undefined }),
    });
  return {
    scope,
    setScope,
    recording,
    visitSize: visit.data?.detections.length,
    // A verdict on the visit needs its detections.
    isDisabled: scope === 'visit' && visit.isPending,
    accept: () => decide({ kind: 'confirm' }),
    skip: () => decide({ kind: 'skip' }),
    choose: (species: { readonly id: number }) =>
      decide(
        species.id === item.species_id
          ? { kind: 'confirm' }
          : { kind: 'correct', speciesId: species.id, scope },
      ),
  };
}

/** Returns suggestions for the keys 1 to 3, most likely first: only species, and not the proposed one. */
function useLikely(item: Unknown): readonly FindableSpecies[] {
  const { dayOf, hourOf } = useTimeFormat();
  const all = useFindableSpecies();
  const date = dayOf(item.start_time);
  const { data: calendar } = useQuery(seasonsQuery('all'));
  const { data: seen } = useQuery(seasonsQuery('video'));
  const { data: overview } = useQuery({ ...overviewQuery(date), staleTime: 600_000 });
  const hour = Math.floor(hourOf(item.start_time));
  return useMemo(() => {
    const known = new Map(all?.filter(isNamedSpecies).map((one) => [one.species.id, one]));
    const possible = calendarOf(item.source, calendar ?? [], seen ?? []);
    const ids = likelySpecies(item.species_id, {
      month: Number(date.slice(5, 7)) - 1,
      hour,
      calendar: possible.filter(({ id }) => known.has(id)),
      day: overview?.topSpecies ?? [],
    });
    return ids.flatMap((id) => known.get(id) ?? []);
  }, [item, date, hour, all, calendar, seen, overview]);
}

/** Whether it is a named species of bird, unlike the generic "Bird". */
function isNamedSpecies(
  { species: { group, scientific_name, parent_id } }: FindableSpecies,
  _index: number,
  all: readonly FindableSpecies[],
): boolean {
  if (group !== 'bird' || parent_id === null) return false;
  const isBelowRoot = all.find(({ species }) => species.id === parent_id)?.species.parent_id === null;
  return scientific_name !== null || !isBelowRoot;
}
