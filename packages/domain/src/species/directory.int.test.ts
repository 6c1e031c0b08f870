import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
