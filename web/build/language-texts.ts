import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('../src', import.meta.url));
const virtual = 'virtual:language-texts';
/** Namespaces that every page, or the one that most people begin with, shows at once. */
const firstNamespaces = ['app', 'components', 'today'];

interface TextsFile {
  readonly namespace: string;
  readonly language: string;
  readonly path: string;
}

/** Files `texts/LANGUAGE.json`; a namespace is the folder that its `texts` folder lies in. */
function listTexts(): TextsFile[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => basename(dirname(name)) === 'texts' && name.endsWith('.json'))
    .sort()
    .map((name) => ({
      namespace: basename(dirname(dirname(name))),
      language: basename(name, '.json'),
      path: join(source, name),
    }));
}

function writeLanguages(texts: readonly TextsFile[]): string {
  const loaders = [...new Set(texts.map(({ language }) => language))].map(
    (language) => `${language}: () => import('${virtual}/${language}')`,
  );
  return `export const languageTexts = { ${loaders.join(', ')} };`;
}

function writeLanguage(texts: readonly TextsFile[], wanted: string): string {
  const ofLanguage = texts.filter(({ language }) => language === wanted);
  const isFirst = ({ namespace }: TextsFile) => firstNamespaces.includes(namespace);
  const first = ofLanguage.filter(isFirst);
  const imports = first.map(({ path }, place) => `import t${place} from ${JSON.stringify(path)};`);
  const entries = first.map(({ namespace }, place) => `${JSON.stringify(namespace)}: t${place}`);
  const later = ofLanguage
    .filter((file) => !isFirst(file))
    .map(
      ({ namespace, path }) =>
        `${JSON.stringify(namespace)}: () => import(${JSON.stringify(path)}).then((file) => file.default)`,
    );
  return `${imports.join('\n')}
export const first = { ${entries.join(', ')} };
export const later = { ${later.join(', ')} };`;
}

/**
 * Gives the page its texts as `virtual:language-texts`: one script for each language with the texts that are shown
 * first, from which the other namespaces are loaded.
 */
export function languageTexts(): Plugin {
  return {
    name: 'birdhub:language-texts',
    resolveId: (id) => (id === virtual || id.startsWith(`${virtual}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${virtual}`)) return undefined;
      const language = id.slice(`\0${virtual}/`.length);
      return language === '' ? writeLanguages(listTexts()) : writeLanguage(listTexts(), language);
    },
  };
}
