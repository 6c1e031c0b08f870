import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadChecklist } from './checklist.store.js';
import { createSpeciesDirectory } from './directory.js';

describe('species directory', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const count = async () => (await database.pool.query('SELECT count(*) AS n FROM species')).rows[0].n;

  it('known labels, are resolved without a new species', async () => {
    const created: number[] = [];
    const directory = createSpeciesDirectory(database.pool, { onCreated: () => created.push(1) });
    const before = await count();
    const ids = await directory.resolve(['Great Tit', 'parus MAJOR', 'Parus major_Great Tit', 'Great Tit']);
    expect([...ids.keys()]).toHaveLength(3);
    expect(new Set(ids.values()).size).toBe(1);
    expect([await count(), created]).toEqual([before, []]);
  });

  it('unknown labels, create one species for all spellings', async () => {
    const created: number[] = [];
    const directory = createSpeciesDirectory(database.pool, { onCreated: () => created.push(1) });
    const before = await count();
    const ids = await directory.resolve([' Tin  Bird', 'tin-bird', 'Tín Bird', 'Tin Robin']);
    expect(new Set(ids.values()).size).toBe(2);
    expect([await count(), created]).toEqual([before + 2, [1]]);
    const node = (await directory.tree()).nodes.get(ids.get('tin-bird') ?? 0);
    expect(node).toMatchObject({
      id: ids.get(' Tin  Bird'),
      name: 'Tin Bird',
      parentId: null,
      generic: false,
      scientificName: null,
      group: 'bird',
    });
  });

  it('the same new label in several processes, creates one species', async () => {
    const directories = Array.from({ length: 6 }, () => createSpeciesDirectory(database.pool));
    const responses = await Promise.all(
      directories.map((directory) => directory.resolve(['Crowded Bird', 'Robin'])),
    );
    expect(new Set(responses.map((ids) => ids.get('Crowded Bird'))).size).toBe(1);
  });

  describe('with 50,000 species', () => {
    let full: TestDatabase;
    beforeAll(async () => {
      full = await createTestDatabase();
      await full.pool.query(
        `INSERT INTO species (name) SELECT 'Filler ' || n FROM generate_series(1, 50000) n`,
      );
    });
    afterAll(() => full.drop());

    const countSpecies = async () =>
      (await full.pool.query('SELECT count(*) AS n FROM species')).rows[0].n as number;

    it('unknown labels, mean Bird and create nothing, which is reported once', async () => {
      const reports: string[] = [];
      const directory = createSpeciesDirectory(full.pool, {
        onCreated: () => reports.push('created'),
        onFull: () => reports.push('full'),
      });
      const before = await countSpecies();
      const tree = await directory.tree();
      for (const label of ['One Bird More', 'Another Bird', 'One Bird More']) {
        const ids = await directory.resolve([label, 'Great Tit']);
        expect(ids.get(label)).toBe(tree.find('Bird'));
        expect(ids.get('Great Tit')).toBe(tree.find('Great Tit'));
      }
      expect([await countSpecies(), reports]).toEqual([before, ['full']]);
    });

    it('a refused label, does not read all species again', async () => {
      const directory = createSpeciesDirectory(full.pool);
      await directory.resolve(['One Bird More']);
      const tree = await directory.tree();
      await directory.resolve(['One Bird More']);
      expect(await directory.tree()).toBe(tree);
    });

    it('a species of a checklist, is created', async () => {
      const row = {
        scientificName: 'Listeda rara',
        names: [{ name: 'Listed Rarity', language: 'en', authority: 'avilist' }],
        ebirdCode: null,
        order: null,
        family: null,
        familyName: null,
        status: null,
      } as const;
      await loadChecklist(full.pool, { source: 'avilist', rows: [row] });
      const directory = createSpeciesDirectory(full.pool);
      const before = await countSpecies();
      const ids = await directory.resolve(['Listed Rarity']);
      const node = (await directory.tree()).nodes.get(ids.get('Listed Rarity') ?? 0);
      expect(node?.scientificName).toBe('Listeda rara');
      expect(await countSpecies()).toBe(before + 1);
    });
  });

  it('a change by another process, is visible after the notice', async () => {
    const directory = createSpeciesDirectory(database.pool);
    const before = await directory.tree();
    await database.pool.query(
      `WITH made AS (INSERT INTO species (name) VALUES ('Late Bird') RETURNING id)
       INSERT INTO species_alias SELECT 'late bird', id FROM made`,
    );
    expect((await directory.tree()).find('Late Bird')).toBeUndefined();
    expect(await directory.tree()).toBe(before);
    directory.forget();
    expect((await directory.tree()).find('Late Bird')).toBeGreaterThan(0);
  });

  it('a failed read, is repeated by the next', async () => {
    const directory = createSpeciesDirectory(database.pool);
    await database.pool.query('ALTER TABLE species_alias RENAME TO away');
    await expect(directory.tree()).rejects.toThrow('species_alias');
    await database.pool.query('ALTER TABLE away RENAME TO species_alias');
    expect((await directory.tree()).nodes.size).toBeGreaterThan(250);
  });

  it('the tree, returns ancestors up to the root and children', async () => {
    const tree = await createSpeciesDirectory(database.pool).tree();
    const id = tree.find('Great Tit') ?? 0;
    const names = tree.ancestorsOf(id).map((ancestor) => tree.nodes.get(ancestor)?.name);
    expect(names.at(-1)).toBe('Birds');
    expect(names).toHaveLength(2);
    expect(tree.childrenOf(tree.ancestorsOf(id)[0] ?? 0)).toContain(id);
    expect(tree.childrenOf(-1)).toEqual([]);
  });
});
