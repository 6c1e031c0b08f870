import type { WireDetection } from '@birdhub/testing/processor-client/processor-wire';
import { type ClipTrack, trackOf } from './clip-tracks.js';
import type { ClipVariant } from './clip-variants.js';
import { between, chance, type Random } from './random.js';

const DOUBTFUL_SHARE = 0.07;
const HEARD_TOO_SHARE = 0.2;
/** The window in which a sound model names a bird. */
const SOUND_WINDOW_SECONDS = 3;

/** What the picture model says of a clip: one row a bird, now and then doubtful. */
export function seenIn(random: Random, clip: ClipVariant, species: string): WireDetection[] {
  return clip.subjects.map((subject, index) => seen(random, trackOf(subject), species, String(index + 1)));
}

/** What the sound model adds to a recording with birds in the picture: mostly nothing. */
export function heardBesides(random: Random, clip: ClipVariant, species: string): WireDetection[] {
  return chance(random, HEARD_TOO_SHARE) ? heardIn(random, clip, species) : [];
}

/** What the sound model says of a recording whose bird is only heard. */
export function heardIn(random: Random, clip: ClipVariant, species: string): WireDetection[] {
  const windows = Math.floor(clip.seconds / SOUND_WINDOW_SECONDS);
  const start = Math.floor(random() * windows) * SOUND_WINDOW_SECONDS;
  return [
    {
      species_name: species,
      confidence: hundredths(between(random, 0.55, 0.97)),
      start_time: start,
      end_time: start + SOUND_WINDOW_SECONDS,
      source: 'audio',
      detection_provider: 'birdnet',
    },
  ];
}

function seen(random: Random, track: ClipTrack, species: string, trackId: string): WireDetection {
  const isDoubtful = chance(random, DOUBTFUL_SHARE);
  const isNameless = isDoubtful && chance(random, 0.5);
  return {
    species_name: isNameless ? 'Bird' : species,
    confidence: hundredths(isDoubtful ? between(random, 0.2, 0.45) : between(random, 0.6, 0.98)),
    start_time: track.start,
    end_time: track.end,
    source: 'video',
    track_id: trackId,
    frames: track.frames,
    detection_provider: 'yolo',
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
