import { requestUrl } from '../outside/request-url.js';
import type { SoundSpecies } from './sound-species.store.js';

const site = 'https://xeno-canto.org';

const quoted = (words: string) => `"${words.replaceAll('"', '')}"`;

/** The search of xeno-canto for a species: by genus and epithet when they are known, else by its English name. */
export function searchQuery({ name, scientificName }: Pick<SoundSpecies, 'name' | 'scientificName'>): string {
  const [genus, epithet] = scientificName?.trim().split(/\s+/) ?? [];
  if (genus && epithet) return `gen:${quoted(genus)} sp:${quoted(epithet)}`;
  return `en:${quoted(`=${name}`)}`;
}

/** The page of xeno-canto that shows what a search finds. */
export function searchPage(query: string): string {
  return requestUrl(site, '/explore', { query }).href;
}
