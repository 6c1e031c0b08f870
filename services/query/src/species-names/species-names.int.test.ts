import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createSpeciesDirectory, loadChecklist, readChecklist } from '@birdhub/domain/species';
import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { ChecklistSchema, ResolvedLabelSchema, TidyPlanSchema } from './species-names.schema.js';

const header =
  'scientific_name\tenglish_name\tenglish_name_clements_2024\tenglish_name_birdlife_9\tcornell_code\torder\tfamily\tfamily_english\tiucn_status\tavibase_id';
const small = [
  header,
  'Gyps coprotheres\tCape Vulture\t\tKolbe Vulture\tcapgri1\tAccipitriformes\tAccipitridae\tHawks\tNT\tx',
  'Testus primus\tFirst Tester\tPrime Tester\t\ttestpr1\tPasseriformes\tTestidae\tTesters\tLC\tx',
  'Testus secundus\tSecond Tester\t\t\t\tPasseriformes\tTestidae\tTesters\tLC\tx',
].join('\n');

const worldList = new URL('../../../../../shared/data/avilist-2025.tsv', import.meta.url);

describe('names of species', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  beforeEach(() => query.database.pool.query('DELETE FROM checklist'));

  const rows = async (sql: string, values: unknown[] = []) =>
    (await query.database.pool.query(sql, values)).rows;
  const resolve = async (label: string) =>
    (await query.get(`/api/ui/species/resolve?label=${encodeURIComponent(label)}`)).body;
  const countSpecies = async () => (await rows('SELECT count(*)::int AS n FROM species'))[0].n;
  const upload = (text: string | Buffer) =>
    query.app.inject({
      method: 'POST',
      url: '/api/ui/checklists',
      headers: { 'content-type': 'application/octet-stream', 'x-hub-caller': 'admin' },
      payload: text,
    });
  const postedSpecies = async (speciesName: string) => {
    const detection = aDetection({ speciesName });
    const { videoId } = await query.post({
      videoPath: `${encodeURIComponent(speciesName)}.mp4`,
      detections: [detection],
    });
    return (await query.get(`/api/ui/videos/${videoId}`)).body.species[0];
  };

  it('GET /species/resolve, with a label of the catalogue, returns the species and creates nothing', async () => {
    const before = await countSpecies();
    const body = await resolve('Parus major_Kohlmeise (Male)');
    expectShape(ResolvedLabelSchema, body);
    expect(body).toMatchObject({
      label: 'Parus major_Kohlmeise (Male)',
      group: 'bird',
      name: 'Great Tit',
      scientific_name: 'Parus major',
      ebird_code: 'gretit1',
      plumage: 'male',
      matched_by: 'pair',
      checklist: null,
    });
    expect(body.family).toMatch(/tits/i);
    expect(await resolve('Nobody knows this')).toMatchObject({
      group: 'unknown',
      species_id: null,
      matched_by: null,
    });
    expect(await countSpecies()).toBe(before);
  });

  it('a label without text, or beyond its length, is refused', async () => {
    for (const label of ['', 'x'.repeat(201)])
      expect((await query.get(`/api/ui/species/resolve?label=${label}`)).status).toBe(400);
  });

  it('a checklist, when loaded, creates no species until a label uses it', async () => {
    const before = await countSpecies();
    const loaded = await upload(small);
    expect(loaded.json()).toMatchObject({ source: 'avilist', species: 3, changed: true });
    expect((await upload(small)).json()).toMatchObject({ changed: false });
    expect(await countSpecies()).toBe(before);
    const listed = (await query.get('/api/ui/checklists')).body;
    expectShape(ChecklistSchema, listed[0]);
    expect(listed).toMatchObject([
      { source: 'avilist', species: 3, languages: ['en'], licence: 'CC BY 4.0' },
    ]);
    expect(await resolve('Gyps coprotheres_Black Vulture')).toMatchObject({
      species_id: null,
      name: 'Cape Vulture',
      ebird_code: 'capgri1',
      group: 'bird',
      matched_by: 'checklist',
      checklist: { source: 'avilist', licence: 'CC BY 4.0' },
    });
    const posted = await postedSpecies('Gyps coprotheres_Black Vulture');
    expect(posted.species_name).toBe('Cape Vulture');
    expect(await postedSpecies('Kolbe Vulture')).toMatchObject({ species_id: posted.species_id });
    const [row] = await rows(
      `SELECT own.ebird_code, family.scientific_name AS family FROM species own JOIN species family ON family.id = own.parent_id
       WHERE own.id = $1`,
      [posted.species_id],
    );
    expect(row).toEqual({ ebird_code: 'capgri1', family: 'Accipitridae' });
    expect((await postedSpecies('Coragyps atratus_Black Vulture')).species_id).not.toBe(posted.species_id);
  });

  it.each([
    ['a scientific name of one word', small.replace('Testus primus', 'Testus'), '/3'],
    ['no English name', small.replace('Second Tester', ''), '/4'],
    ['the same species twice', `${small}\n${small.split('\n')[1]}`, '/5'],
    ['a missing cell', small.replace('\tLC\tx\nTestus secundus', '\tLC\nTestus secundus'), '/3'],
    ['a bad code', small.replace('testpr1', 'TEST PR'), '/3'],
    ['an unknown header', 'a\tb\n1\t2', '/1'],
    ['nothing in it', '', '/1'],
  ])('a checklist, with %s, changes nothing and names the line', async (_, text, path) => {
    await upload(small);
    const refused = await upload(text);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ code: 'invalid_request', details: [{ path }] });
    expect(await rows('SELECT count(*)::int AS n FROM checklist_species')).toEqual([{ n: 3 }]);
  });

  it('a checklist, with invalid UTF-8, changes nothing', async () => {
    const refused = await upload(
      Buffer.concat([Buffer.from(`${header}\n`), Buffer.from([0xff, 0xfe, 0xff])]),
    );
    expect(refused.statusCode).toBe(400);
  });

  it('a checklist, when deleted, is removed, and deleted again is 404', async () => {
    await upload(small);
    expect((await query.change('DELETE', '/api/ui/checklists/avilist')).status).toBe(200);
    expect(await rows('SELECT FROM checklist_species')).toEqual([]);
    expect((await query.change('DELETE', '/api/ui/checklists/avilist')).status).toBe(404);
  });

  it('species of one bird under several names, tidied, are one with the same counts, until undone', async () => {
    const one = await postedSpecies('Testus primus');
    const other = await postedSpecies('Prime Tester');
    expect(one.species_id).not.toBe(other.species_id);
    await upload(small);
    const plan = (await query.get('/api/ui/species/tidy')).body;
    expectShape(TidyPlanSchema, plan);
    expect(plan.steps).toMatchObject([
      { kind: 'merge', species_id: other.species_id, into_species_id: one.species_id },
      {
        kind: 'complete',
        species_id: one.species_id,
        scientific_name: 'Testus primus',
        ebird_code: 'testpr1',
      },
    ]);
    const totals = () =>
      rows('SELECT sum(visits)::int AS visits FROM species_total WHERE species_id IN ($1, $2)', [
        one.species_id,
        other.species_id,
      ]);
    const detections = () =>
      rows('SELECT species_id AS id, count(*)::int AS n FROM detection GROUP BY 1 ORDER BY 1');
    const before = await detections();
    const tidied = (await query.change('POST', '/api/ui/species/tidy')).body;
    expect(tidied).toMatchObject({ merged: 1, completed: 1, moved_detections: 1, skipped: 0, remaining: 0 });
    expect(
      (await rows('SELECT count(*)::int AS n FROM detection WHERE species_id = $1', [one.species_id]))[0].n,
    ).toBe(2);
    expect((await query.get('/api/ui/species/tidy')).body.steps).toEqual([]);
    expect((await totals())[0].visits).toBeGreaterThan(0);
    const undone = await query.change('POST', `/api/ui/species/tidy/${tidied.tidy_id}/undo`);
    expect(undone.body).toMatchObject({ undone: 2, kept: 0 });
    expect(await detections()).toEqual(before);
    expect((await query.change('POST', `/api/ui/species/tidy/${tidied.tidy_id}/undo`)).status).toBe(404);
  });

  it('forms of a new bird, in several processes at once and in any order, are one species', async () => {
    const { pool } = query.database;
    const forms = ['Rarus unus_Single Rarity', 'Rarus unus', 'Single Rarity', 'Single Rarity (Rarus unus)'];
    const pair = createSpeciesDirectory(pool);
    await pair.resolve(['Rarus unus_Single Rarity']);
    const directories = Array.from({ length: 6 }, () => createSpeciesDirectory(pool));
    const found = await Promise.all(
      directories.map((directory, at) => directory.resolve([forms[at % 4] ?? ''])),
    );
    expect(new Set(found.flatMap((ids) => [...ids.values()])).size).toBe(1);
  });

  it('a pair of names, after each was used alone, makes one species of both', async () => {
    const { pool } = query.database;
    const merged: number[][] = [];
    const directory = createSpeciesDirectory(pool, {
      merge: async (from, into) => {
        merged.push([from, into]);
        await query.change('POST', `/api/ui/species/${from}/merge`, { into_species_id: into });
      },
    });
    const [scientific] = (await directory.resolve(['Binus duplex'])).values();
    const [common] = (await directory.resolve(['Double Bird'])).values();
    const ids = await directory.resolve(['Binus duplex_Double Bird', 'Double Bird', 'Binus duplex']);
    expect(merged).toEqual([[common, scientific]]);
    expect(new Set(ids.values())).toEqual(new Set([scientific]));
    await directory.resolve(['Binus duplex_Double Bird']);
    expect(merged).toHaveLength(1);
  });

  it.skipIf(!existsSync(worldList))(
    'the world checklist, when loaded, resolves labels of the whole world',
    async () => {
      const { pool } = query.database;
      const checklist = await readChecklist(createReadStream(worldList));
      expect(checklist.rows.length).toBe(readFileSync(worldList, 'utf8').trimEnd().split('\n').length - 1);
      expect(await loadChecklist(pool, checklist)).toBe(true);
      expect(await loadChecklist(pool, checklist)).toBe(false);
      expect(await resolve('Ramphastos toco_Toco Toucan')).toMatchObject({
        ebird_code: 'toctou1',
        group: 'bird',
      });
      expect(await resolve('Accipiter novaehollandiae_Grey Goshawk')).toMatchObject({
        scientific_name: 'Tachyspiza novaehollandiae',
      });
    },
  );
});
