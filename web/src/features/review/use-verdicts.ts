import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { recordingQuery } from '../recording/recording-queries';
import { reachOf, type Scope } from './reach';
import { visitQuery } from './review-queries';
import type { QueueAction, Unknown, Verdict } from './review-queue';

/** What is known around the detection in sight, and what can be said of it. */
export function useVerdicts(item: Unknown, act: (action: QueueAction) => void) {
  const [scope, setScope] = useState<Scope>('single_track');
  const recording = useQuery(recordingQuery(item.video_id)).data;
  const visit = useQuery(visitQuery(item));
  const decide = (verdict: Verdict) =>
    act({
      type: 'decide',
      verdict,
      ...reachOf(item, verdict, scope, { recording, visit: visit.data ?? undefined }),
    });
  return {
    scope,
    setScope,
    recording,
    visitSize: visit.data?.detections.length,
    // What belongs to the visit has to be known before a verdict can go for it.
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
