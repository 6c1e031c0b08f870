import { fileURLToPath } from 'node:url';
import { type Clip, placeClip, prepareClips } from '@birdhub/demo/clips';

/** Films are the same in every run, so they are made once for all of them. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/birdhub-clips', import.meta.url));

/** Short ones with a bird and its song. */
const films: readonly Clip[] = ['European Robin', 'Great Tit', 'House Sparrow', 'European Goldfinch'].map(
  (bird) => ({
    birds: [bird],
    singer: bird,
    place: 'garden',
    season: 'summer',
    light: 'day',
    seconds: 7,
    take: 0,
  }),
);

/** Makes the films that {@link placeFilm} gives out. */
export async function prepareFilms(): Promise<void> {
  await prepareClips(folder, films, { ffmpegPath: 'ffmpeg' });
}

/** Puts one of the films where the file of a recording belongs. */
export async function placeFilm(number: number, target: string): Promise<void> {
  const film = films[number % films.length];
  if (film) await placeClip(folder, film, target);
}
