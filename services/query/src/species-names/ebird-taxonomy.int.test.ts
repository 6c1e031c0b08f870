import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listChecklists } from '@birdhub/domain/species';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExternalApis } from '../external/external-apis.js';
import { updateTaxonomy } from './ebird-taxonomy.js';

const names: Readonly<Record<string, string>> = {
  en: 'First Tester',
  de: 'Erster Tester',
  es: 'Primer probador',
  fr: 'Premier testeur',
  it: 'Primo collaudatore',
  nl: 'Eerste tester',
  pl: 'Pierwszy tester',
  ru: 'Первый тестер',
};

describe('updateTaxonomy', () => {
  let database: TestDatabase;
  let server: Server;
  const asked: string[] = [];
  let reply = (locale: string): unknown => [
    {
      sciName: 'Testus primus',
      comName: names[locale],
      speciesCode: 'testpr1',
      order: 'Passeriformes',
      familySciName: 'Testidae',
      familyComName: 'Testers',
    },
  ];
  beforeAll(async () => {
    database = await createTestDatabase();
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://ebird');
      const locale = url.searchParams.get('locale') ?? '';
      asked.push(`${url.pathname} ${locale} ${request.headers['x-ebirdapitoken']}`);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply(locale)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.close();
    await database.drop();
  });

  it('fetches every language once, again after a year, and keeps what is loaded when eBird fails', async () => {
    const { pool, prisma } = database;
    const logged: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
    const key = 'secretkeyofebird';
    const at = { now: () => Date.now() };
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    const urls = {
      ebirdApiUrl: `${address}/v2`,
      openMeteoUrl: address,
      openweatherApiUrl: address,
      xenoCantoApiUrl: address,
      wikipediaApiUrl: address,
    };
    const notices: unknown[] = [];
    const notifier = { notify: (change: unknown) => void notices.push(change) };
    const clock = { now: () => at.now() };
    const externalApis = createExternalApis({ urls, pool, prisma, clock, log });
    const deps = { pool, externalApis, notifier, clock, log };
    expect(await updateTaxonomy(deps, key)).toBe(true);
    expect(asked).toEqual(
      ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'ru'].map(
        (locale) => `/v2/ref/taxonomy/ebird ${locale} ${key}`,
      ),
    );
    expect(notices).toEqual([{ kind: 'species' }]);
    expect(await listChecklists(pool)).toMatchObject([
      { source: 'ebird', speciesCount: 1, languages: ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'ru'] },
    ]);
    expect(await updateTaxonomy(deps, key)).toBe(false);
    expect(asked).toHaveLength(8);
    at.now = () => Date.now() + 366 * 86_400_000;
    // A language that fails keeps its earlier names; those of the others are new.
    reply = (locale) =>
      locale === 'pl'
        ? { error: 'no' }
        : [{ sciName: 'Testus primus', comName: `${names[locale]} 2`, speciesCode: 'testpr1' }];
    expect(await updateTaxonomy(deps, key)).toBe(true);
    const { rows } = await pool.query<{ names: { language: string; name: string }[] }>(
      'SELECT names FROM checklist_species',
    );
    expect(Object.fromEntries(rows[0]?.names.map(({ language, name }) => [language, name]) ?? [])).toEqual(
      Object.fromEntries(
        Object.entries(names).map(([language, name]) => [language, language === 'pl' ? name : `${name} 2`]),
      ),
    );
    expect(logged.join()).toContain('"language":"pl"');
    at.now = () => Date.now() + 2 * 366 * 86_400_000;
    reply = () => ({ error: 'no' });
    await expect(updateTaxonomy(deps, key)).rejects.toThrow('no list of species');
    expect(await listChecklists(pool)).toHaveLength(1);
    expect(logged.join()).not.toContain(key);
  });
});
