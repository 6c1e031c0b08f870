import type { PostedDetection } from '@birdhub/domain/recordings';
import { photographOf } from '../birds/index.js';
import type { Clip } from '../clips/index.js';
import { between, chance, integerBetween, pick, pickWeighted, type Random } from '../random/index.js';
import type { Light, Place as ScenePlace, Season } from '../scenes/index.js';
import { type BirdList, type GardenBird, zipfWeight } from './bird-lists.js';

/** The cameras of the demo, and their shares of the visits. */
const cameras: readonly { readonly id: ScenePlace; readonly share: number }[] = [
  { id: 'garden', share: 0.72 },
  { id: 'balcony', share: 0.28 },
];

/** Together with the birdless seconds at both ends of a clip, shorter than the default gap of visits (60 s). */
const maxPauseSeconds = 40;
const doubtfulShare = 0.07;
const singingShare = 0.4;
/** The length of the windows that the sound model analyses. */
const soundWindowSeconds = 3;

/** The season and the light of a visit. */
export interface VisitScene {
  readonly season: Season;
  readonly light: Light;
}

/** A recording that starts `offsetSeconds` after the first one of its visit. Boxes are added when its clip is drawn. */
export interface VisitRecording {
  readonly camera: string;
  readonly offsetSeconds: number;
  readonly clip: Clip;
  readonly trigger: 'motion' | 'audio';
  readonly detections: readonly PostedDetection[];
}

type Scene = Pick<VisitRecording, 'clip' | 'trigger' | 'detections'>;

/** Returns the recordings of a visit of one species at one camera, or sometimes one recording without a bird. */
export function planVisit(random: Random, list: BirdList, when: VisitScene): VisitRecording[] {
  const camera = pickWeighted(random, cameras, ({ share }) => share).id;
  const bird = pickBird(random, list, camera, when.season);
  const kind = pickWeighted(random, visitKinds, ({ share }) => share);
  const { photographsDir } = bird.looks?.some(photographOf) ? list : {};
  const scenes = Array.from({ length: kind.recordings(random) }, () =>
    kind.scene(random, bird, { ...when, place: camera, photographsDir }),
  );
  let offsetSeconds = 0;
  return scenes.map((scene) => {
    const recording = { camera, offsetSeconds, ...scene };
    offsetSeconds += scene.clip.seconds + integerBetween(random, 4, maxPauseSeconds);
    return recording;
  });
}

/** Returns a recording of an owl at night: only heard, or also seen in infrared. */
export function planOwl(random: Random, { owl }: BirdList, season: Season, isSeen: boolean): VisitRecording {
  const scene = { place: 'garden', season, light: 'night', seconds: 8, take: 0 } as const;
  const clip: Clip = { ...scene, birds: isSeen ? [owl] : [], singer: owl };
  const seen = isSeen
    ? [seenDetection(random, { species: owl, trackId: '1', seconds: clip.seconds, isSure: true })]
    : [];
  return {
    camera: 'garden',
    offsetSeconds: 0,
    clip,
    trigger: isSeen ? 'motion' : 'audio',
    detections: [...seen, heardDetection(random, clip, owl)],
  };
}

/** Returns a recording of a squirrel at the bird table. */
export function planSquirrel(random: Random, { squirrel }: BirdList, when: VisitScene): VisitRecording {
  const clip: Clip = { birds: [squirrel], place: 'garden', ...when, seconds: 8, take: 0 };
  const detection = seenDetection(random, {
    species: squirrel,
    trackId: '1',
    seconds: clip.seconds,
    isSure: true,
  });
  return { camera: 'garden', offsetSeconds: 0, clip, trigger: 'motion', detections: [detection] };
}

function pickBird(random: Random, { birds }: BirdList, place: ScenePlace, season: Season): GardenBird {
  const here = birds.filter(({ only = place }) => only === place);
  return pickWeighted(random, here, (bird) => {
    const { winter = 1, summer = 1 } = bird;
    const share = season === 'winter' ? winter : season === 'summer' ? summer : (winter + summer) / 2;
    return zipfWeight(birds.indexOf(bird)) * share;
  });
}

interface PlacedScene extends VisitScene, Pick<Clip, 'place' | 'photographsDir'> {}

const visitKinds: readonly {
  readonly share: number;
  recordings(random: Random): number;
  scene(random: Random, bird: GardenBird, scene: PlacedScene): Scene;
}[] = [
  { share: 0.84, recordings: visitLength, scene: seenScene },
  { share: 0.09, recordings: () => 1, scene: heardScene },
  { share: 0.07, recordings: () => 1, scene: birdlessScene },
];

function visitLength(random: Random): number {
  return pickWeighted(random, [1, 2, 3, 4], (length) => 0.5 ** length);
}

function seenScene(random: Random, bird: GardenBird, scene: PlacedScene): Scene {
  const { looks = [bird.name] } = bird;
  const flock = pickWeighted(random, [1, 2, 3].slice(0, bird.flock), (birds) => 1 / birds ** 1.5);
  const first = pick(random, looks);
  const others = looks.filter((look) => look !== first);
  const birds = [first, others[0] ?? first, first].slice(0, flock);
  const clip: Clip = {
    ...scene,
    birds,
    singer: singerOf(bird),
    seconds: 6 + (bird.name.length % 3) + flock - 1,
    take: 0,
  };
  const detections = birds.map((_, index) =>
    seenDetection(random, { species: bird.name, trackId: String(index + 1), seconds: clip.seconds }),
  );
  // The sound model detects the song only in some of the recordings.
  const heard = chance(random, singingShare) ? [heardDetection(random, clip, bird.name)] : [];
  return { clip, trigger: 'motion', detections: [...detections, ...heard] };
}

function heardScene(random: Random, bird: GardenBird, scene: PlacedScene): Scene {
  const clip: Clip = { ...scene, birds: [], singer: singerOf(bird), seconds: 6, take: 0 };
  return { clip, trigger: 'audio', detections: [heardDetection(random, clip, bird.name)] };
}

function birdlessScene(_: Random, __: GardenBird, scene: PlacedScene): Scene {
  return { clip: { ...scene, birds: [], seconds: 6, take: 0 }, trigger: 'motion', detections: [] };
}

/** Returns the look with a recorded call, or the name of the bird, whose song is synthesized. */
const singerOf = ({ name, looks = [] }: GardenBird) =>
  looks.find((look) => photographOf(look)?.call !== undefined) ?? name;

interface Seen {
  readonly species: string;
  readonly trackId: string;
  readonly seconds: number;
  readonly isSure?: boolean;
}

/** Returns the result of the picture model for a bird, which is sometimes doubtful. */
function seenDetection(random: Random, { species, trackId, seconds, isSure = false }: Seen): PostedDetection {
  const isDoubtful = chance(random, doubtfulShare) && !isSure;
  const isNameless = isDoubtful && chance(random, 0.4);
  const confidence = hundredths(isDoubtful ? between(random, 0.22, 0.46) : between(random, 0.66, 0.98));
  return {
    speciesName: isNameless ? 'Bird' : species,
    confidence,
    startOffset: 1.6,
    endOffset: seconds - 1.4,
    source: 'video',
    trackId,
    provider: 'yolo',
    frames: [],
    extra: null,
  };
}

/** Returns the result of the sound model for a song. */
function heardDetection(random: Random, { seconds }: Clip, species: string): PostedDetection {
  const windows = Math.floor(seconds / soundWindowSeconds);
  const startOffset = Math.floor(random() * windows) * soundWindowSeconds;
  return {
    speciesName: species,
    confidence: hundredths(between(random, 0.58, 0.97)),
    startOffset,
    endOffset: startOffset + soundWindowSeconds,
    source: 'audio',
    trackId: null,
    provider: 'birdnet',
    frames: [],
    extra: null,
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
