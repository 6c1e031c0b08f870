import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('../src', import.meta.url));
const virtual = 'virtual:language-texts';
/** Namespaces that are needed first: those of every page and of Today, the usual start page. */
const firstNamespaces = ['app', 'components', 'today'];

interface TextsFile {
  readonly namespace: string;
  readonly language: string;
  readonly path: string;
}

/** Lists the files `texts/LANGUAGE.json`; the namespace is the name of the folder that contains `texts`. */
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
  const imports = first.map(({ path }, index) => `import t${index} from ${JSON.stringify(path)};`);
  const entries = first.map(({ namespace }, index) => `${JSON.stringify(namespace)}: t${index}`);
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
 * Provides the texts of the UI as the module `virtual:language-texts`: for each language, one script with the texts
 * that are shown first and loaders of the other namespaces.
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
