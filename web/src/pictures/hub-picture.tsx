import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './hub-picture.module.css';
import type { PictureFailure } from './picture-problem';
import { usePicture } from './use-picture';

interface HubPictureProps {
  /** As the hub gives it, or of another place; the key of the component too. */
  readonly address: string;
  /** What is seen, for those who do not; empty where the name stands beside it. */
  readonly alt: string;
  readonly className?: string | undefined;
  /** Whether it is among the first that the page shows, and is not waited with. */
  readonly isUrgent?: boolean;
  readonly onFailed: (why: PictureFailure) => void;
}

/** A bird that stands where a picture will be. */
function Silhouette() {
  return (
    <svg viewBox="0 0 64 48" aria-hidden="true" className={classes['bird']}>
      <path d="M4 15l9-3c1-6 6-10 12-10 7 0 11 4 13 10 8 2 16 8 22 18-6 1-11 1-15 0-3 6-9 9-16 9l-1 6h-3l1-6-4-1-2 6h-3l2-8C13 32 10 26 12 18z" />
    </svg>
  );
}

/** A picture with a shimmer in its place until it is there: the hub may still have to make it. */
export function HubPicture({ address, alt, className, isUrgent = false, onFailed }: HubPictureProps) {
  const { t } = useTranslation('states');
  const { state, attempt, ...image } = usePicture(address);
  const tell = useEffectEvent(onFailed);
  const why = state.kind === 'failed' ? state.why : undefined;
  useEffect(() => {
    if (why !== undefined) tell(why);
  }, [why]);
  if (why !== undefined) return null;
  return (
    <>
      {state.kind !== 'shown' && (
        <span
          className={classes['shimmer']}
          data-pending={state.kind === 'pending' || undefined}
          title={state.kind === 'pending' ? t('picture_pending') : undefined}
        >
          <Silhouette />
        </span>
      )}
      <img
        key={attempt}
        {...image}
        alt={state.kind === 'shown' ? alt : ''}
        className={`${classes['picture']} ${className ?? ''}`}
        data-shown={state.kind === 'shown' || undefined}
        loading={isUrgent ? 'eager' : 'lazy'}
        fetchPriority={isUrgent ? 'high' : 'auto'}
        decoding="async"
      />
    </>
  );
}
