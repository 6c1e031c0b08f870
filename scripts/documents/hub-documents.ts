import { translatedLanguages } from '@birdhub/domain/species';
import { commandDocuments, eventDocuments } from '@birdhub/shared/events';
import { configurationPage } from './configuration-page.js';
import { environmentExample } from './environment-example.js';
import { errorPage } from './error-page.js';
import { eventPage } from './event-page.js';
import { routePage } from './route-page.js';
import { serviceVariables } from './service-variables.js';
import { speciesNames } from './species-names.js';

const root = new URL('../../', import.meta.url);

/** A committed file that is generated from the code. */
export interface HubDocument {
  /** Path in the repository. */
  readonly name: string;
  readonly file: URL;
  readonly text: string;
}

/** Returns the generated documents of the hub with their current text. */
export function hubDocuments(): HubDocument[] {
  const variables = serviceVariables();
  const texts = {
    'docs/configuration.md': configurationPage(variables),
    'docs/errors.md': errorPage(),
    'docs/events.md': eventPage(eventDocuments(), commandDocuments()),
    'docs/routes.md': routePage(),
    '.env.example': environmentExample(variables),
    ...Object.fromEntries(
      translatedLanguages.map((language) => [
        `web/src/i18n/species-names/${language}.json`,
        speciesNames(language),
      ]),
    ),
  };
  return Object.entries(texts).map(([name, text]) => ({ name, file: new URL(name, root), text }));
}
