import { hubLanguages } from '@birdhub/domain/language';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { CacheTags } from '../response-cache/cache-entries.js';
import { readSpeciesNames } from './display-species.store.js';
import {
  DisplayBirdNetSchema,
  DisplayDictionarySchema,
  DisplayLocaleParamsSchema,
  DisplayLocalesSchema,
  DisplaySpeciesListSchema,
} from './displays.schema.js';

const common = { tags: ['displays'], security: access.open };

const schemas = {
  all: {
    ...common,
    operationId: 'listDisplaySpeciesNames',
    summary: 'List the names of all birds for displays',
    response: { 200: DisplaySpeciesListSchema },
  },
  dictionary: {
    ...common,
    operationId: 'getDisplayDictionary',
    summary: 'Get the names of birds in a language for displays',
    description:
      'Birds that the catalogue does not name in the language have their English names. Returns 404 for a ' +
      'language that `GET /api/v2/settings/locales` does not list.',
    params: DisplayLocaleParamsSchema,
    response: { 200: DisplayDictionarySchema },
  },
  birdnet: {
    ...common,
    operationId: 'getDisplayLocale',
    summary: 'Get the language of names for displays',
    response: { 200: DisplayBirdNetSchema },
  },
  locales: {
    ...common,
    operationId: 'listDisplayLocales',
    summary: 'List the languages of names for displays',
    response: { 200: DisplayLocalesSchema },
  },
};

const nameTags = { species: true, settings: true } as const satisfies CacheTags;
const englishNames = new Intl.DisplayNames(['en'], { type: 'language' });
const locales = Object.fromEntries(hubLanguages.map((code) => [code, englishNames.of(code) ?? code]));

/** `GET /api/v2/species/…` and `GET /api/v2/settings/…`: the names of species and their languages. */
export function displayNameRoutes(app: HubApp, { settings }: { readonly settings: SettingsReader }): void {
  const language = async () => (await settings.current()).general.language;

  app.get(
    '/api/v2/species/all',
    { schema: schemas.all, config: { cache: { tags: nameTags } } },
    async ({ readPool }) => {
      const names = await readSpeciesNames(readPool, await language());
      const species = names.map(({ scientificName, commonName }) => ({
        label: `${scientificName}_${commonName}`,
        scientificName,
        commonName,
      }));
      return { species, count: species.length };
    },
  );

  app.get(
    '/api/v2/species/dictionary/:locale',
    { schema: schemas.dictionary, config: { cache: { tags: nameTags } } },
    async ({ params, readPool }) => {
      const known = hubLanguages.find((code) => code === params.locale);
      if (!known)
        throw new HubError('file_not_found', { message: 'There is no dictionary of this language.' });
      const names = await readSpeciesNames(readPool, known);
      return Object.fromEntries(names.map(({ scientificName, commonName }) => [scientificName, commonName]));
    },
  );

  app.get('/api/v2/settings/birdnet', { schema: schemas.birdnet }, async () => ({
    locale: await language(),
  }));

  app.get('/api/v2/settings/locales', { schema: schemas.locales }, async () => locales);
}
