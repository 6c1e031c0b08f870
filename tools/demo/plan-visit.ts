import type { WireDetection } from '@birdhub/testing/processor-client/processor-wire';
import { type BirdList, type GardenBird, zipfWeight } from './bird-lists.js';
import { type ClipVariant, clipsOf, emptyClips } from './clip-variants.js';
import { heardBesides, heardIn, seenIn } from './plan-detections.js';
import { pick, pickWeighted, type Random, wholeBetween } from './random.js';

/** The cameras and the share of the recordings each makes. */
const cameras = [
  { id: 'garden', share: 0.75 },
  { id: 'balcony', share: 0.25 },
] as const;

/** Shorter than the hub's gap of 60 s with the birdless seconds at both ends of a clip. */
const LONGEST_PAUSE_SECONDS = 40;

/** A recording of a plan, `offsetSeconds` after the first one of its visit. */
export type VisitRecording = {
  camera: string;
  offsetSeconds: number;
  clip: ClipVariant;
  trigger: 'motion' | 'audio';
  detections: WireDetection[];
};

type Scene = Pick<VisitRecording, 'clip' | 'trigger' | 'detections'>;

/** The recordings of one visit of one species on one camera; or of a leaf that moved, without a bird. */
export function planVisit(random: Random, list: BirdList): VisitRecording[] {
  const camera = pickWeighted(random, cameras, ({ share }) => share).id;
  const bird = pickWeighted(random, list.birds, (one) => zipfWeight(list.birds.indexOf(one)));
  const kind = pickWeighted(random, visitKinds, ({ share }) => share);
  const scenes = Array.from({ length: kind.recordings(random) }, () => kind.scene(random, bird));
  let offsetSeconds = 0;
  return scenes.map((scene) => {
    const recording = { camera, offsetSeconds, ...scene };
    offsetSeconds += scene.clip.seconds + wholeBetween(random, 4, LONGEST_PAUSE_SECONDS);
    return recording;
  });
}

/** One call of the owl in the dark. */
export function planNightCall(random: Random, list: BirdList): VisitRecording {
  const clip = pick(random, emptyClips('night'));
  const detections = heardIn(random, clip, list.owl);
  return { camera: cameras[0].id, offsetSeconds: 0, clip, trigger: 'audio', detections };
}

const visitKinds: {
  share: number;
  recordings(random: Random): number;
  scene(random: Random, bird: GardenBird): Scene;
}[] = [
  { share: 0.82, recordings: visitLength, scene: seenScene },
  { share: 0.08, recordings: () => 1, scene: heardScene },
  { share: 0.1, recordings: () => 1, scene: birdlessScene },
];

function visitLength(random: Random): number {
  return pickWeighted(random, [1, 2, 3, 4, 5], (length) => 0.5 ** length);
}

function seenScene(random: Random, bird: GardenBird): Scene {
  const flock = pickWeighted(random, [1, 2, 3].slice(0, bird.flock), (birds) => 1 / birds);
  const fitting = clipsOf(bird.coat, flock);
  const clip = pick(random, fitting);
  const detections = [...seenIn(random, clip, bird.name), ...heardBesides(random, clip, bird.name)];
  return { clip, trigger: 'motion', detections };
}

function heardScene(random: Random, bird: GardenBird): Scene {
  const clip = pick(random, emptyClips('day'));
  return { clip, trigger: 'audio', detections: heardIn(random, clip, bird.name) };
}

function birdlessScene(random: Random): Scene {
  return { clip: pick(random, emptyClips('day')), trigger: 'motion', detections: [] };
}
