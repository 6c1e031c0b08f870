import { dirname, join, normalize } from 'node:path';
import { readContract } from '@birdhub/gateway/contract';
import { describe, expect, test } from 'vitest';
import { isThere, listPages, readText } from './repository-files.js';

const pages = listPages();
const countLines = (name: string) => readText(name).trimEnd().split('\n').length;

/** The route table of the architecture page: `METHOD path`, service, file. */
function routeRows() {
  const rows = readText('docs/architecture.md').matchAll(
    /^\| `([A-Z]+ \/[^`]*)` \| (\w+) \| `([^`]+)` \|$/gm,
  );
  return [...rows].map(([, route = '', service = '', file = '']) => ({ route, service, file }));
}

describe('docs/architecture.md', () => {
  const { operations } = readContract(readText('openapi.yaml'));

  test('its route table, the operations of the contract, are the same with their services', () => {
    const published = operations.map(({ method, path, service }) => `${method} ${path} ${service}`);
    expect(published.length).toBeGreaterThan(15);
    expect(
      routeRows()
        .map(({ route, service }) => `${route} ${service}`)
        .sort(),
    ).toEqual(published.sort());
  });

  test.each(routeRows())('$route, the file that it names, declares it', ({ route, service, file }) => {
    const operation = operations.find(({ method, path }) => route === `${method} ${path}`);
    expect(file).toMatch(new RegExp(`^services/${service}/src/[\\w-]+/[\\w-]+\\.routes\\.ts$`));
    expect(readText(file)).toContain(operation?.operationId);
  });

  test('its table of tables, the tables of the schema, are all there', () => {
    const schema = readText('packages/shared/prisma/schema.prisma');
    const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => `\`${table}\``);
    const [, section = ''] = readText('docs/architecture.md').split('## Tables');
    expect(tables.length).toBeGreaterThan(20);
    expect(tables.filter((table) => !section.includes(table))).toEqual([]);
  });
});

describe('pages', () => {
  test('the list of them, those that everybody looks for, has them', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/operations.md']),
    );
  });

  test.each(pages)('%s, its links inside the repository, lead somewhere', (page) => {
    const targets = [...readText(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !isThere(normalize(join(dirname(page), target))));
    expect(missing).toEqual([]);
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
