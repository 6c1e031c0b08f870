import { fileURLToPath } from 'node:url';
import { type Clip, placeClip, prepareClips } from '@birdhub/demo/clips';

/** The folder for films, which all runs share because the films are always the same. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/birdhub-clips', import.meta.url));

/** Short films of a bird and its song. */
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

/** Creates the films for {@link placeFilm}. */
export async function prepareFilms(): Promise<void> {
  await prepareClips(folder, films, { ffmpegPath: 'ffmpeg' });
}

/** Copies one of the films to the path of a recording. */
export async function placeFilm(number: number, target: string): Promise<void> {
  const film = films[number % films.length];
  if (film) await placeClip(folder, film, target);
}
