import { fileURLToPath } from 'node:url';
import { placeClip, prepareClips } from '../../demo/clip-store.js';
import { clipVariants } from '../../demo/clip-variants.js';

/** Films are the same in every run, so they are made once for all of them. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/birdhub-clips', import.meta.url));

/** Short ones with a bird and its song. */
const films = clipVariants.filter(({ seconds, subjects }) => seconds <= 8 && subjects.length > 0);

/** Makes the films that {@link placeFilm} gives out. */
export async function prepareFilms(): Promise<void> {
  await prepareClips(folder, films);
}

/** Puts one of the films where the file of a recording belongs. */
export async function placeFilm(number: number, target: string): Promise<void> {
  const film = films[number % films.length];
  if (film) await placeClip(folder, film, target);
}
