import { between, type Random, seededRandom } from '../random/index.js';

/** A note of a song: a tone that glides from one pitch to another, in Hz. Times are in seconds. */
export interface Note {
  readonly at: number;
  readonly seconds: number;
  readonly from: number;
  readonly to: number;
  readonly loudness: number;
  /** Relative amplitude of the first overtone, an octave higher. */
  readonly overtone?: number;
  /** Amplitude modulation in Hz, for rattles and rolled notes. */
  readonly roll?: number;
}

/** Returns the notes of a phrase of a species, with times from its start. */
type Phrase = (random: Random) => readonly Note[];

export const sampleRate = 32_000;

/**
 * Returns a WAV file (16 bits, mono) with quiet background noise and the repeated song of a bird; without a bird, only
 * the noise.
 */
export function sing(bird: string | undefined, seconds: number, seed: string): Buffer {
  const random = seededRandom(`${seed} song`);
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  addGarden(samples, random);
  const phrase = bird === undefined ? undefined : (songs[bird.split(',')[0] ?? ''] ?? chirps);
  if (phrase) {
    for (let at = between(random, 0.4, 1.1); at < seconds - 0.8; ) {
      const notes = phrase(random);
      for (const note of notes) addNote(samples, { ...note, at: note.at + at });
      const length = Math.max(...notes.map((note) => note.at + note.seconds));
      at += length + between(random, 0.9, 1.9);
    }
  }
  return toWav(samples);
}

const tone = (at: number, seconds: number, from: number, to = from, loudness = 0.32): Note => ({
  at,
  seconds,
  from,
  to,
  loudness,
});

/** Repeats notes at an interval. */
const repeat = (count: number, every: number, notes: readonly Note[]): Note[] =>
  Array.from({ length: count }, (_, index) =>
    notes.map((note) => ({ ...note, at: note.at + index * every })),
  ).flat();

/** Returns random notes between two pitches. */
function cascade(random: Random, count: number, every: number, low: number, high: number): Note[] {
  return Array.from({ length: count }, (_, index) => {
    const from = between(random, low, high);
    return tone(
      index * every,
      every * between(random, 0.55, 0.9),
      from,
      from * between(random, 0.78, 1.22),
      0.26,
    );
  });
}

const chirps: Phrase = () => repeat(4, 0.3, [tone(0, 0.09, 3_600, 4_400), tone(0.1, 0.08, 4_300, 3_300)]);

const coos = (pitch: number, lengths: readonly number[]): Note[] => {
  let at = 0;
  return lengths.map((seconds, index) => {
    const note = {
      ...tone(at, seconds, pitch * (index === 1 ? 1.12 : 1), pitch * 0.98, 0.42),
      overtone: 0.15,
    };
    at += seconds + 0.11;
    return note;
  });
};

/** The songs, according to the descriptions in field guides. */
const songs: Readonly<Record<string, Phrase>> = {
  'Great Tit': () => repeat(5, 0.42, [tone(0, 0.17, 4_400), tone(0.2, 0.18, 3_150)]),
  'Eurasian Blue Tit': () => [
    ...repeat(2, 0.19, [tone(0, 0.13, 7_400, 6_900)]),
    ...repeat(9, 0.065, [tone(0.42, 0.045, 4_700, 4_400)]),
  ],
  'Coal Tit': () => repeat(7, 0.24, [tone(0, 0.1, 6_200), tone(0.11, 0.1, 4_700)]),
  'Long-tailed Tit': () => [
    ...repeat(3, 0.16, [tone(0, 0.11, 7_800, 7_300, 0.22)]),
    { ...tone(0.62, 0.42, 4_300, 3_700), roll: 34 },
  ],
  'European Robin': (random) => [
    ...cascade(random, 5, 0.19, 5_200, 7_200),
    ...cascade(random, 14, 0.085, 2_800, 5_400).map((note) => ({ ...note, at: note.at + 1.05 })),
  ],
  'Eurasian Blackbird': (random) => [
    ...cascade(random, 6, 0.34, 1_700, 2_800),
    ...cascade(random, 7, 0.075, 4_200, 7_600).map((note) => ({
      ...note,
      at: note.at + 2.1,
      loudness: 0.14,
    })),
  ],
  'Common Chaffinch': () => [
    ...Array.from({ length: 9 }, (_, index) =>
      tone(index * 0.13, 0.09, 5_600 - index * 290, 4_600 - index * 260),
    ),
    tone(1.22, 0.12, 2_700, 4_900),
    tone(1.36, 0.22, 5_000, 2_600),
  ],
  'European Goldfinch': (random) => [
    ...repeat(3, 0.17, [tone(0, 0.06, 4_300, 6_100)]),
    ...cascade(random, 15, 0.08, 3_300, 6_700).map((note) => ({ ...note, at: note.at + 0.55 })),
  ],
  'European Greenfinch': () => [
    ...repeat(12, 0.07, [tone(0, 0.05, 3_900, 3_500)]),
    { ...tone(1.15, 0.75, 4_500, 3_100, 0.34), roll: 72 },
  ],
  'House Sparrow': () => repeat(5, 0.44, [tone(0, 0.07, 2_700, 4_300), tone(0.075, 0.1, 4_300, 2_900)]),
  'Eurasian Tree Sparrow': () =>
    repeat(6, 0.3, [tone(0, 0.055, 3_900, 5_300), tone(0.06, 0.06, 5_100, 3_900)]),
  Dunnock: (random) => cascade(random, 24, 0.075, 4_300, 6_900),
  'Common Wood-Pigeon': () => coos(490, [0.34, 0.52, 0.36, 0.24, 0.22]),
  'Eurasian Collared-Dove': () => coos(570, [0.24, 0.56, 0.3]),
  'Mourning Dove': () => [
    { ...tone(0, 0.32, 430, 620, 0.4), overtone: 0.1 },
    { ...tone(0.34, 0.3, 620, 460, 0.4), overtone: 0.1 },
    ...coos(450, [0.5, 0.5, 0.5]).map((note) => ({ ...note, at: note.at + 0.95 })),
  ],
  'Rock Pigeon': () => coos(310, [0.3, 0.7, 0.26, 0.62]).map((note) => ({ ...note, roll: 22 })),
  'Eurasian Magpie': () =>
    repeat(9, 0.1, [{ ...tone(0, 0.06, 2_400, 1_900, 0.3), overtone: 0.8, roll: 110 }]),
  'Eurasian Jay': () => repeat(2, 0.75, [{ ...tone(0, 0.46, 2_100, 1_700, 0.32), overtone: 0.9, roll: 160 }]),
  'Eurasian Nuthatch': () => repeat(6, 0.26, [tone(0, 0.17, 1_900, 3_300, 0.36)]),
  'European Starling': (random) => [
    tone(0, 0.75, 5_600, 2_100),
    ...repeat(8, 0.07, [{ ...tone(0.95, 0.045, 2_900, 2_500, 0.24), overtone: 0.6 }]),
    ...cascade(random, 9, 0.1, 1_900, 6_900).map((note) => ({ ...note, at: note.at + 1.6 })),
  ],
  'Great Spotted Woodpecker': () => [
    ...Array.from({ length: 13 }, (_, index) => ({
      ...tone(index * 0.052, 0.022, 1_300, 700, 0.42 - index * 0.02),
      overtone: 0.9,
    })),
    { ...tone(1.3, 0.06, 4_300, 3_300, 0.3), overtone: 0.3 },
  ],
  'Eurasian Bullfinch': () => repeat(3, 0.95, [tone(0, 0.34, 2_550, 2_050, 0.26)]),
  'Eurasian Wren': (random) => [
    ...cascade(random, 12, 0.085, 4_100, 7_600),
    ...repeat(22, 0.038, [tone(1.05, 0.026, 5_300, 4_700, 0.3)]),
    ...cascade(random, 8, 0.09, 3_900, 7_200).map((note) => ({ ...note, at: note.at + 1.95 })),
  ],
  'Eurasian Siskin': (random) => [
    ...cascade(random, 12, 0.09, 3_600, 6_100),
    { ...tone(1.15, 0.62, 3_900, 3_300, 0.24), roll: 48 },
  ],
  'Tawny Owl': () => [
    { ...tone(0, 0.85, 760, 840, 0.5), overtone: 0.06 },
    { ...tone(2.2, 0.16, 700, 740, 0.34), overtone: 0.06 },
    { ...tone(2.6, 1.35, 880, 760, 0.5), overtone: 0.06, roll: 9 },
  ],
  'Eastern Screech-Owl': () => [
    { ...tone(0, 1.5, 900, 620, 0.42), roll: 11 },
    { ...tone(2.1, 1.7, 640, 620, 0.36), roll: 14 },
  ],
  'Northern Cardinal': () => [
    ...repeat(4, 0.42, [tone(0, 0.32, 4_500, 2_000, 0.34)]),
    ...repeat(7, 0.17, [tone(1.85, 0.11, 2_200, 3_100)]),
  ],
  'Blue Jay': () => repeat(3, 0.55, [{ ...tone(0, 0.34, 2_900, 2_300, 0.34), overtone: 0.75 }]),
  'Black-capped Chickadee': () => [
    tone(0, 0.06, 6_600, 5_900),
    tone(0.1, 0.07, 5_900, 4_600),
    ...repeat(4, 0.19, [{ ...tone(0.28, 0.15, 3_700, 3_500, 0.28), overtone: 0.5, roll: 190 }]),
  ],
  'American Goldfinch': (random) => [
    ...repeat(4, 0.13, [tone(0, 0.08, 3_900, 4_900)]),
    ...cascade(random, 12, 0.1, 3_100, 5_900).map((note) => ({ ...note, at: note.at + 0.7 })),
  ],
  'American Robin': (random) =>
    [0, 0.55, 1.1, 1.7, 2.25].flatMap((at) =>
      cascade(random, 3, 0.13, 2_100, 3_300).map((note) => ({ ...note, at: note.at + at })),
    ),
  'Downy Woodpecker': () =>
    Array.from({ length: 17 }, (_, index) =>
      tone(index * 0.075, 0.045, 4_600 - index * 130, 3_600 - index * 100, 0.28),
    ),
  'Red-bellied Woodpecker': () =>
    repeat(3, 0.5, [{ ...tone(0, 0.28, 1_500, 1_250, 0.36), roll: 26, overtone: 0.3 }]),
  'Dark-eyed Junco': () => repeat(17, 0.085, [tone(0, 0.05, 4_900, 3_900, 0.28)]),
  'House Finch': (random) => [
    ...cascade(random, 17, 0.1, 2_400, 5_400),
    { ...tone(1.8, 0.36, 2_600, 4_700), roll: 60 },
  ],
  'Tufted Titmouse': () => repeat(4, 0.5, [tone(0, 0.34, 3_100, 2_400, 0.36)]),
  'White-breasted Nuthatch': () =>
    repeat(10, 0.13, [{ ...tone(0, 0.085, 2_300, 2_150, 0.3), overtone: 0.45 }]),
  'Eastern Bluebird': (random) => cascade(random, 6, 0.21, 2_000, 3_100),
  'Red-winged Blackbird': () => [
    tone(0, 0.1, 1_900),
    tone(0.12, 0.12, 3_100, 2_600),
    { ...tone(0.28, 0.85, 3_600, 3_300, 0.34), roll: 62 },
  ],
  'Carolina Wren': () =>
    repeat(5, 0.36, [
      tone(0, 0.12, 3_100, 4_600),
      tone(0.13, 0.1, 3_900, 2_400),
      tone(0.24, 0.08, 2_400, 3_300),
    ]),
};

/** The names of the birds with a song of their own. */
export const singers: readonly string[] = Object.keys(songs);

function addNote(
  samples: Float32Array,
  { at, seconds, from, to, loudness, overtone = 0.08, roll }: Note,
): void {
  const first = Math.round(at * sampleRate);
  const count = Math.round(seconds * sampleRate);
  let phase = 0;
  for (let index = 0; index < count && first + index < samples.length; index += 1) {
    const share = index / count;
    phase += (2 * Math.PI * (from + (to - from) * share)) / sampleRate;
    const swell = Math.min(1, share * 9, (1 - share) * 6);
    const modulation =
      roll === undefined ? 1 : 0.5 + 0.5 * Math.sin((2 * Math.PI * roll * index) / sampleRate);
    const wave = Math.sin(phase) + overtone * Math.sin(2 * phase) + overtone * 0.4 * Math.sin(3 * phase);
    samples[first + index] = (samples[first + index] ?? 0) + loudness * swell * modulation * wave;
  }
}

/** Adds the sound of wind in leaves: very quiet low-frequency noise. */
function addGarden(samples: Float32Array, random: Random): void {
  let low = 0;
  for (let index = 0; index < samples.length; index += 1) {
    const noise = random() * 2 - 1;
    low += (noise - low) * 0.05;
    const gust = 0.6 + 0.4 * Math.sin((2 * Math.PI * index) / (sampleRate * 3.7));
    samples[index] = low * 0.05 * gust + noise * 0.0022;
  }
}

function toWav(samples: Float32Array): Buffer {
  const wav = Buffer.alloc(44 + samples.length * 2);
  wav.write('RIFF', 0, 'ascii');
  wav.writeUInt32LE(36 + samples.length * 2, 4);
  wav.write('WAVEfmt ', 8, 'ascii');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'ascii');
  wav.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((value, index) => {
    wav.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), 44 + index * 2);
  });
  return wav;
}
