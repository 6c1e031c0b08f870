import { useCallback, useEffect, useState } from 'react';
import { hubUrl } from '../../api/hub-url';
import { Problem, toProblem } from '../../api/problem';
import { ensureRole } from '../session/access';
import type { Recording } from './recording-queries';

/** A video that is there but that this browser has no way to show. */
const unplayable = 'unplayable';

/** Why the player has nothing to show; `pending` passes by itself. */
export type StreamState = 'playable' | 'pending' | 'missing' | 'purged' | 'locked' | 'unplayable' | 'failed';

const states: Readonly<Record<string, StreamState>> = {
  media_pending: 'pending',
  media_missing: 'missing',
  media_purged: 'purged',
  unlock_required: 'locked',
  [unplayable]: 'unplayable',
};

/** Why a stream that a video element could not play does not come. */
async function problemOf(url: string): Promise<Problem> {
  try {
    const response = await fetch(hubUrl(url), { headers: { range: 'bytes=0-0' } });
    if (response.ok) return new Problem(response.status, { code: unplayable });
    return toProblem(response, await response.json().catch(() => undefined));
  } catch {
    return new Problem(0, {});
  }
}

const usualWaitSeconds = 5;

/** The stream of a recording for a video element: whether it can be shown, and what to do where it cannot. */
export function useStream({ media, video_url }: Recording) {
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const again = useCallback(() => {
    setProblem(undefined);
    setAttempt((before) => before + 1);
  }, []);
  const state: StreamState =
    media !== 'ready' ? media : problem === undefined ? 'playable' : (states[problem.code] ?? 'failed');
  const waitSeconds =
    problem && state === 'pending' ? (problem.retryAfterSeconds ?? usualWaitSeconds) : undefined;
  useEffect(() => {
    if (waitSeconds === undefined) return undefined;
    const timer = setTimeout(again, waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [waitSeconds, again]);
  return {
    state,
    problem,
    /** Changes with every attempt: a video element is made anew by it. */
    attempt,
    onError: () => void problemOf(video_url).then(setProblem),
    again,
    unlock: async () => {
      if (await ensureRole('contributor')) again();
    },
  };
}

export type Stream = ReturnType<typeof useStream>;
