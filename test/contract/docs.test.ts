import { readFileSync } from 'node:fs';
import { type ErrorKind, errorCatalogue } from '@birdhub/shared/errors';
import { describe, expect, test } from 'vitest';
import { hubDocuments } from '../../scripts/documents/hub-documents.js';
import { listBelow, readText } from './repository-files.js';

const documents = hubDocuments();
const textOf = (name: string) => documents.find((document) => document.name === name)?.text ?? '';
const programs = ['packages', 'services', 'scripts', 'tools/demo', 'tools/bench'];
const sources = programs
  .flatMap(listBelow)
  .filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes('.test.'));

/** Returns the first group of each match in the sources, with its file. */
function findInSources(pattern: RegExp): { found: string; name: string }[] {
  return sources.flatMap((name) =>
    [...readText(name).matchAll(pattern)].map(([, found = '']) => ({ found, name })),
  );
}

describe('generated documents', () => {
  test.each(documents)('$name, generated again, is identical', ({ file, text }) => {
    expect(readFileSync(file, 'utf8') === text, 'run `npm run docs` and commit what it makes').toBe(true);
  });

  test('the list, is complete', () => {
    expect(documents.map(({ name }) => name)).toEqual([
      'docs/configuration.md',
      'docs/errors.md',
      'docs/events.md',
      'docs/routes.md',
      '.env.example',
      'web/src/i18n/species-names/de.json',
      'web/src/i18n/species-names/ru.json',
      'web/src/i18n/species-names/fr.json',
      'web/src/i18n/species-names/es.json',
      'web/src/i18n/species-names/it.json',
      'web/src/i18n/species-names/nl.json',
      'web/src/i18n/species-names/pl.json',
    ]);
  });
});

describe('error codes', () => {
  const documented = [...textOf('docs/errors.md').matchAll(/^\| \d{3} \| `(\w+)` \|/gm)].map(
    ([, code]) => code,
  );

  test('docs/errors.md, compared with the catalogue, lists the same codes', () => {
    const codes = Object.entries<ErrorKind>(errorCatalogue).map(([name, { code = name }]) => code);
    expect(documented.toSorted()).toEqual(codes.sort());
  });

  test('sources, in every HubError they throw, use a code of the catalogue', () => {
    const thrown = findInSources(/new HubError\(\s*'(\w+)'/g);
    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter(({ found }) => !(found in errorCatalogue))).toEqual([]);
  });
});

describe('environment variables', () => {
  // Variables of the system, not of the hub.
  const foreign = ['PATH', 'INIT_CWD'];
  const page = textOf('docs/configuration.md');

  test('docs/configuration.md, compared with the sources, lists every variable that they read by name', () => {
    const read = findInSources(/\benv(?:\.|\[')([A-Z][A-Z0-9_]+)\b/g);
    expect(read.length).toBeGreaterThan(10);
    const missing = read.filter(({ found }) => !foreign.includes(found) && !page.includes(`\`${found}\``));
    expect(missing).toEqual([]);
  });

  test('docs/configuration.md, in each row, has a description', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => !/[A-Za-z].{12}/.test(row.split(' | ').slice(2).join(' ')))).toEqual([]);
  });

  test('.env.example, in every line, is commented out', () => {
    const lines = textOf('.env.example').split('\n').filter(Boolean);
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(lines.filter((line) => /^#[A-Z_]+=/.test(line)).length).toBeGreaterThan(12);
  });
});
