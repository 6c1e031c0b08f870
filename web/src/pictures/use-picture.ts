import { useEffect, useEffectEvent, useState } from 'react';
import { hubUrl } from '../api/base';
import { useLiveEvents } from '../live/live-events';
import { type PictureFailure, type PictureProblem, readRefusal } from './picture-problem';

/** Where a picture stands: on its way, being made, there, or not to be had. */
export type PictureState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'pending'; readonly videoId: number | undefined }
  | { readonly kind: 'shown' }
  | { readonly kind: 'failed'; readonly why: PictureFailure };

/** What an element needs to show a picture. */
export interface UsedPicture {
  readonly state: PictureState;
  /** Changes with each attempt: a new element tries again. */
  readonly attempt: number;
  readonly src: string;
  readonly onLoad: () => void;
  readonly onError: () => void;
}

const retryMs = 10_000;
/** A picture that the hub sends and that nobody can show is not asked for for ever. */
const maxUnshown = 2;

/** Asks the hub why a picture of it did not load; a hub that cannot be reached may be there again soon. */
async function explainPicture(address: string, signal: AbortSignal): Promise<PictureProblem> {
  try {
    const response = await fetch(hubUrl(address), { signal, headers: { accept: 'image/*' } });
    if (response.ok) {
      await response.body?.cancel();
      return { kind: 'here' };
    }
    const body: unknown = await response.json().catch(() => ({}));
    return readRefusal(response.status, typeof body === 'object' && body !== null ? body : {});
  } catch {
    return { kind: 'pending', videoId: undefined };
  }
}

/**
 * A picture of the hub that may still have to be made: it is tried again when the hub tells that the pictures of its
 * recording are done, and after ten seconds. Pictures from elsewhere are tried once. The component is keyed by the
 * address.
 */
export function usePicture(address: string): UsedPicture {
  const isElsewhere = /^https?:/.test(address);
  const [attempt, setAttempt] = useState(0);
  const [errors, setErrors] = useState(0);
  const [unshown, setUnshown] = useState(0);
  const [state, setState] = useState<PictureState>({ kind: 'loading' });
  const tryAgain = () => setAttempt((before) => before + 1);

  const take = useEffectEvent((problem: PictureProblem) => {
    if (problem.kind !== 'here') return setState(problem);
    if (unshown === maxUnshown) return setState({ kind: 'failed', why: 'unknown' });
    setUnshown(unshown + 1);
    tryAgain();
  });

  useEffect(() => {
    if (errors === 0) return;
    const leaving = new AbortController();
    void explainPicture(address, leaving.signal).then((problem) => {
      if (!leaving.signal.aborted) take(problem);
    });
    return () => leaving.abort();
  }, [address, errors]);

  const isPending = state.kind === 'pending';
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => setAttempt((before) => before + 1), retryMs);
    return () => clearInterval(timer);
  }, [isPending]);

  useLiveEvents(['pictures'], ({ data }) => {
    if (isPending && state.videoId !== undefined && data['video_id'] === state.videoId) tryAgain();
  });

  return {
    state,
    attempt,
    src: isElsewhere ? address : hubUrl(address),
    onLoad: () => setState({ kind: 'shown' }),
    onError() {
      if (isElsewhere) return setState({ kind: 'failed', why: 'unknown' });
      if (!isPending) setState({ kind: 'pending', videoId: undefined });
      setErrors(errors + 1);
    },
  };
}
