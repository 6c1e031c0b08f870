import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isThere, listAll, listPages, readText } from './repository-files.js';

const pages = listPages();
const countLines = (name: string) => readText(name).trimEnd().split('\n').length;

/** Folders and files that are made when the hub is built or set up, or that owners write. */
const generated = /\/dist\b|^deploy\/(secrets\b|\.env\b|compose\.override\.yaml$)/;

/** Files that the hub, its build or other programs write, and addresses of the hub, by their names. */
const written =
  /^(DATA_DIR\/)?(ports|hub-state|manifest|dataset_info)\.json$|^observations\.csv$|^docs\.html$|^secrets\.yaml$|^\/openapi\.yaml$/;
const fileName = /^(?!\.\w).*[\w-]\.(ts|tsx|mjs|css|html|sql|md|ya?ml|json|toml|conf|csv|sh)$/;
const repositoryFiles = listAll().map((name) => `/${name}`);

/** Whether a name, such as `commit.ts` or `outbox/commit.ts`, is the end of the path of a file. */
const isEndOfPath = (name: string) =>
  repositoryFiles.some((path) => path.endsWith(`/${name.replace(/^(\.{0,2}\/)+/, '')}`));

/** What a page names as a file or folder of the repository, in backticks. */
function mentionsOf(page: string): string[] {
  const text = readText(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/`([\w./-]+)`/g)].map(([, mention = '']) => mention);
}

describe('packages/shared/prisma/README.md', () => {
  test('its table, the tables of the schema, are all there', () => {
    const schema = readText('packages/shared/prisma/schema.prisma');
    const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => `\`${table}\``);
    const page = readText('packages/shared/prisma/README.md');
    expect(tables.length).toBeGreaterThan(20);
    expect(tables.filter((table) => !page.includes(table))).toEqual([]);
  });
});

describe('pages', () => {
  test('the list of them, has the usual ones', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/operations.md']),
    );
  });

  test.each(pages)('%s, its links inside the repository, lead somewhere', (page) => {
    const targets = [...readText(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !isThere(normalize(join(dirname(page), target))));
    expect(missing).toEqual([]);
  });

  // Superseded decisions and the changelog name files of their time.
  const current = pages.filter(
    (page) => page !== 'CHANGELOG.md' && !readText(page).includes('Status: superseded'),
  );
  test.each(current)('%s, the files and folders that it names, are there', (page) => {
    const mentions = mentionsOf(page);
    const paths = mentions.filter((name) =>
      /^(deploy|docs|packages|scripts|services|test|tools|web)\//.test(name),
    );
    const missing = paths.filter((path) => !generated.test(path) && !isThere(path));
    expect(missing).toEqual([]);
  });

  test.each(current)('%s, the files that it names without their folder, are there', (page) => {
    const names = mentionsOf(page).filter((name) => fileName.test(name) && !generated.test(name));
    expect(names.filter((name) => !written.test(name) && !isEndOfPath(name))).toEqual([]);
  });

  test.each(pages)('%s, the npm commands that it names, are there', (page) => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const named = [...readText(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('CONTRIBUTING and decisions, their length, is bounded', () => {
    const decisions = pages.filter((name) => name.startsWith('docs/adr/'));
    expect(decisions.length).toBeGreaterThan(8);
    expect(countLines('CONTRIBUTING.md')).toBeLessThanOrEqual(100);
    expect(decisions.filter((name) => countLines(name) > 40)).toEqual([]);
  });

  test('decisions, their numbers, are without gap and in their titles', () => {
    const names = pages.filter((name) => name.startsWith('docs/adr/'));
    const numbers = names.map((_, index) => String(index + 1).padStart(4, '0'));
    expect(names.map((name) => name.slice('docs/adr/'.length, 'docs/adr/0000'.length))).toEqual(numbers);
    expect(names.map((name) => /^# (\d{4}) /.exec(readText(name))?.[1])).toEqual(numbers);
  });
});
