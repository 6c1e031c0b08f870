import { dayMs } from '@birdhub/shared/time';
import type { CachedResult } from '../external/external-api-cache.js';
import type { ExternalApis } from '../external/external-apis.js';
import {
  ExternalServiceError,
  fieldsOf,
  fingerprint,
  requestUrl,
  textOrNull,
} from '../external/external-service.js';
import type { SoundRecording } from './species-sounds.schema.js';
import type { SoundSpecies } from './species-sounds.store.js';

const freshMs = 7 * dayMs;
/** Empty results expire earlier, as recordings may be uploaded. */
const noneFreshMs = dayMs;
const retryMs = 60_000;
const maxRecordings = 5;
const site = 'https://xeno-canto.org';

/** Returns an absolute https URL; null for anything else. */
export function secureAddress(value: unknown): string | null {
  const text = textOrNull(value);
  if (!text || !URL.canParse(text, site)) return null;
  const url = new URL(text, site);
  if (url.protocol === 'http:') url.protocol = 'https:';
  return url.protocol === 'https:' ? url.href : null;
}

function toRecording(value: unknown): SoundRecording | undefined {
  const { id, file, en, type, rec, cnt, length, q, lic } = fieldsOf(value);
  const address = secureAddress(file);
  const number = textOrNull(String(id ?? ''));
  // The archive hides the sounds of endangered species.
  if (!address || !number) return undefined;
  return {
    id: number,
    file: address,
    en: textOrNull(en),
    type: textOrNull(type),
    rec: textOrNull(rec),
    cnt: textOrNull(cnt),
    length: textOrNull(length),
    quality: textOrNull(q),
    licence: secureAddress(lic),
  };
}

/** Returns the rank of a recording, lowest first: by quality, then songs and calls before other sounds. */
function rankOf({ quality, type }: SoundRecording): number {
  const grade = 'ABCDE'.indexOf(quality?.toUpperCase() ?? '-');
  const isVoice = /\b(song|call)\b/i.test(type ?? '');
  return (grade < 0 ? 5 : grade) * 2 + (isVoice ? 0 : 1);
}

/** Parses the best five recordings of a response. @throws ExternalServiceError when it has no list of recordings */
export function readRecordings(response: unknown): SoundRecording[] {
  const { recordings } = fieldsOf(response);
  if (!Array.isArray(recordings)) throw new ExternalServiceError('xeno-canto returned no list of recordings');
  return recordings
    .map(toRecording)
    .filter((recording) => recording !== undefined)
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, maxRecordings);
}

/** Returns the best recordings of a search, cached for a week, or a day when there are none. */
export function findRecordings(
  { urls, services, cache }: ExternalApis,
  query: string,
  apiKey: string,
): Promise<CachedResult<SoundRecording[]>> {
  const url = requestUrl(urls.xenoCantoApiUrl, '/recordings', { query, key: apiKey });
  return cache.get({
    service: 'xeno-canto',
    // A corrected API key is tried immediately.
    key: `${query} ${fingerprint(apiKey)}`,
    freshMs: (recordings: SoundRecording[]) => (recordings.length ? freshMs : noneFreshMs),
    retryMs,
    fetch: async () => readRecordings(await services['xeno-canto'].getJson({ url })),
  });
}

const quoted = (words: string) => `"${words.replaceAll('"', '')}"`;

/** Returns the search query for a species: by genus and epithet if known, else by English name. */
export function searchQuery({ name, scientificName }: Pick<SoundSpecies, 'name' | 'scientificName'>): string {
  const [genus, epithet] = scientificName?.trim().split(/\s+/) ?? [];
  if (genus && epithet) return `gen:${quoted(genus)} sp:${quoted(epithet)}`;
  return `en:${quoted(`=${name}`)}`;
}

/** Returns the URL of a search at xeno-canto. */
export function searchPage(query: string): string {
  return requestUrl(site, '/explore', { query }).href;
}
