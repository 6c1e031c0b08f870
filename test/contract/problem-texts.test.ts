import { readFileSync } from 'node:fs';
import { jobProblems } from '@birdhub/domain/jobs';
import { hubLanguages } from '@birdhub/domain/language';
import { errorCatalogue, refusals, schemaRefusals } from '@birdhub/shared/errors';
import { describe, expect, it } from 'vitest';
import { deliveryFailures } from '../../services/system/src/channels/delivery-failures.js';
import { errorTextKey, isCommon } from '../../web/src/api/problem-codes.js';

const read = (folder: string, language: string) =>
  JSON.parse(
    readFileSync(new URL(`../../web/src/${folder}/texts/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;
const placeholdersOf = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name);

/** Errors that no page gets: of detectors, uploads and programs, and those with a text on their page. */
const unseen = [
  'digest_mismatch',
  'dispense_in_progress',
  'feeder_cooldown',
  'feeder_not_configured',
  'hub_not_empty',
  'mcp_disabled',
  'media_exists',
  'media_type_unsupported',
  'method_not_allowed',
  'picture_missing',
  'range_not_satisfiable',
  'unsupported_media_type',
  'upload_in_progress',
  'upload_offset_mismatch',
];

const sentences = { ...deliveryFailures, ...jobProblems };

/** English texts by code, with the prefix of their translations. */
const catalogues = [
  [
    'refused.',
    { ...Object.fromEntries(schemaRefusals.map((code) => [code, '{{limit}}{{values}}'])), ...refusals },
  ],
  ['sentence.', sentences],
] as const;

describe.each(catalogues)('texts with the prefix %s', (prefix, codes) => {
  it.each(hubLanguages)('in %s, exist for every code and use only values that the hub gives', (language) => {
    const texts = read('api', language);
    const written = Object.keys(texts).filter((key) => key.startsWith(prefix));
    expect(written.sort()).toEqual(
      Object.keys(codes)
        .map((code) => prefix + code)
        .sort(),
    );
    for (const [code, message] of Object.entries<string>(codes))
      expect(placeholdersOf(message), code).toEqual(
        expect.arrayContaining(placeholdersOf(texts[prefix + code] ?? '')),
      );
  });
});

it('sentences, have the same English text on pages', () => {
  const texts = read('api', 'en');
  const onPages = Object.keys(sentences).map((code) => [code, texts[`sentence.${code}`]]);
  expect(Object.fromEntries(onPages)).toEqual(sentences);
});

it('codes of sentences that share texts, are unique', () => {
  const shared = Object.keys(deliveryFailures).filter((code) => code in jobProblems);
  expect(shared).toEqual([]);
});

describe('texts of errors', () => {
  it('for errors that a page can get, exist', () => {
    const texts = read('api', 'en');
    const silent = Object.keys(errorCatalogue).filter(
      (code) => !unseen.includes(code) && !isCommon(code) && !(`error.${errorTextKey(code)}` in texts),
    );
    expect(silent).toEqual([]);
  });
});
