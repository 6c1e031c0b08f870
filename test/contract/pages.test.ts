import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listAll, listPages, pathExists, readText } from './repository-files.js';

const pages = listPages();
const countLines = (name: string) => readText(name).trimEnd().split('\n').length;

/** Folders and files made by the build, by the set-up or by owners. */
const generated = /\/dist\b|^deploy\/(secrets\b|\.env\b|compose\.override\.yaml$)/;

/** Files written by the hub, its build or other programs, and addresses of the hub, by name. */
const written =
  /^(DATA_DIR\/)?(ports|hub-state|manifest|dataset_info)\.json$|^observations\.csv$|^docs\.html$|^secrets\.yaml$|^\/openapi\.yaml$/;
const fileName = /^(?!\.\w).*[\w-]\.(ts|tsx|mjs|css|html|sql|md|ya?ml|json|toml|conf|csv|sh)$/;
const repositoryFiles = listAll().map((name) => `/${name}`);

/** Whether a name, such as `commit.ts` or `outbox/commit.ts`, is the end of the path of a file. */
const isEndOfPath = (name: string) =>
  repositoryFiles.some((path) => path.endsWith(`/${name.replace(/^(\.{0,2}\/)+/, '')}`));

/** Returns the names in backticks on a page. */
function mentionsOf(page: string): string[] {
  const text = readText(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/`([\w./-]+)`/g)].map(([, mention = '']) => mention);
}

describe('packages/shared/prisma/README.md', () => {
  test('in its table, lists all tables of the schema', () => {
    const schema = readText('packages/shared/prisma/schema.prisma');
    const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => `\`${table}\``);
    const page = readText('packages/shared/prisma/README.md');
    expect(tables.length).toBeGreaterThan(20);
    expect(tables.filter((table) => !page.includes(table))).toEqual([]);
  });
});

describe('pages', () => {
  test('the list, has the usual pages', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/operations.md']),
    );
  });

  test.each(pages)('%s, in links inside the repository, names only existing files', (page) => {
    const targets = [...readText(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !pathExists(normalize(join(dirname(page), target))));
    expect(missing).toEqual([]);
  });

  // Superseded decisions and the changelog name files of their time.
  const current = pages.filter(
    (page) => page !== 'CHANGELOG.md' && !readText(page).includes('Status: superseded'),
  );
  test.each(current)('%s, with paths of files and folders, names only existing ones', (page) => {
    const mentions = mentionsOf(page);
    const paths = mentions.filter((name) =>
      /^(deploy|docs|packages|scripts|services|test|tools|web)\//.test(name),
    );
    const missing = paths.filter((path) => !generated.test(path) && !pathExists(path));
    expect(missing).toEqual([]);
  });

  test.each(current)('%s, with files named without their folder, names only existing ones', (page) => {
    const names = mentionsOf(page).filter((name) => fileName.test(name) && !generated.test(name));
    expect(names.filter((name) => !written.test(name) && !isEndOfPath(name))).toEqual([]);
  });

  test.each(pages)('%s, with npm commands, names only existing ones', (page) => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const named = [...readText(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('CONTRIBUTING and decisions, in length, stay within their limits', () => {
    const decisions = pages.filter((name) => name.startsWith('docs/adr/'));
    expect(decisions.length).toBeGreaterThan(8);
    expect(countLines('CONTRIBUTING.md')).toBeLessThanOrEqual(100);
    expect(decisions.filter((name) => countLines(name) > 40)).toEqual([]);
  });

  test('decisions, by number, have no gap and match their titles', () => {
    const names = pages.filter((name) => name.startsWith('docs/adr/'));
    const numbers = names.map((_, index) => String(index + 1).padStart(4, '0'));
    expect(names.map((name) => name.slice('docs/adr/'.length, 'docs/adr/0000'.length))).toEqual(numbers);
    expect(names.map((name) => /^# (\d{4}) /.exec(readText(name))?.[1])).toEqual(numbers);
  });
});
