import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useShortcuts } from '../../components/shortcuts';
import { useSpeciesName } from '../../i18n/species-names';
import { recordingQuery } from '../recording/recording-queries';
import { AnswerBar } from './answer-bar';
import { ChangeDialog } from './change-dialog';
import { CropPane } from './crop-pane';
import { LikelyButtons } from './likely-buttons';
import classes from './review.module.css';
import { reviewKeys } from './review-keys';
import { visitQuery } from './review-queries';
import type { QueueAction, ReviewQueue, Unknown } from './review-queue';
import { ReviewWords } from './review-words';
import { useLikely } from './use-likely';
import { useVerdicts } from './use-verdicts';
import { VideoPane } from './video-pane';

interface ReviewDeskProps {
  readonly item: Unknown;
  readonly queue: ReviewQueue;
  readonly act: (action: QueueAction) => void;
}

/** Fetches what comes next while one looks at what is there. */
function usePreloading(next: Unknown | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (next === undefined) return;
    new Image().src = hubUrl(next.crop_url);
    void queryClient.prefetchQuery(recordingQuery(next.video_id));
    void queryClient.prefetchQuery(visitQuery(next));
  }, [next, queryClient]);
}

/** One detection, and what can be said of it. */
export function ReviewDesk({ item, queue, act }: ReviewDeskProps) {
  const { t } = useTranslation('review');
  const nameOf = useSpeciesName();
  const verdicts = useVerdicts(item, act);
  const { scope, setScope, recording, visitSize, isDisabled, accept, skip, choose } = verdicts;
  const likely = useLikely(item);
  const [isChanging, { open: change, close }] = useDisclosure(false);
  usePreloading(queue.waiting[1]);
  const undo = () => act({ type: 'undo' });
  useShortcuts(
    reviewKeys({
      accept: () => !isDisabled && accept(),
      choose: (place) => {
        const chosen = likely[place];
        if (chosen && !isDisabled) choose(chosen.species);
      },
      change: () => !isDisabled && change(),
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
        <ReviewWords
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
        canUndo={queue.steps.length > 0}
        onAccept={accept}
        onChange={change}
        onSkip={skip}
        onUndo={undo}
      />
      <ChangeDialog
        isOpen={isChanging}
        onClose={close}
        likely={likely.map(({ species }) => species.id)}
        onChoose={choose}
      />
    </>
  );
}
