import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { systemClock } from '@birdhub/shared/time';
import fc from 'fast-check';
import Database from 'libsql';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say, toEnglish } from '../sentences.js';
import { createSourceHttp } from '../source-http.js';
import type { Json, KnownEvent, SourceConfig, Upstream, UpstreamEvent } from '../source-kind.js';
import { birdnetPi } from './birdnet-pi.js';

const day = '2026-05-01';
const { signal } = new AbortController();
const closing: { close(): unknown }[] = [];
let folder: string;
let database: Database.Database;

/** As `createdb.sh` of BirdNET-Pi creates it. */
const schema = `CREATE TABLE detections (Date DATE, Time TIME, Sci_Name VARCHAR(100) NOT NULL, Com_Name VARCHAR(100) NOT NULL,
  Confidence FLOAT, Lat FLOAT, Lon FLOAT, Cutoff FLOAT, Week INT, Sens FLOAT, Overlap FLOAT, File_Name VARCHAR(100) NOT NULL);
  CREATE INDEX detections_Date_Time ON detections (Date DESC, Time DESC);`;

const keep = <T extends { close(): unknown }>(one: T): T => {
  closing.push(one);
  return one;
};

function createDatabase(path: string): Database.Database {
  const created = keep(new Database(path));
  created.exec(schema);
  return created;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdnet-pi-'));
  database = createDatabase(join(folder, 'birds.db'));
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  rmSync(folder, { recursive: true });
});

interface Row {
  readonly at: string;
  readonly name?: readonly [string, string];
  readonly confidence?: number;
  readonly file?: string;
}

const tit = ['Parus major', 'Great Tit'] as const;

function add(to: Database.Database, { at, name = tit, confidence = 0.87, file }: Row): void {
  const [date, time] = at.split(' ');
  const clip =
    file ?? `${name[1].replaceAll(' ', '_')}-${Math.round(confidence * 100)}-${date}-birdnet-${time}.mp3`;
  to.prepare('INSERT INTO detections VALUES (?, ?, ?, ?, ?, 52.5, 13.4, 0.7, 17, 1.25, 0, ?)').run(
    date,
    time,
    name[0],
    name[1],
    confidence,
    clip,
  );
}

const clock = (seconds: number) => `${day} ${new Date(seconds * 1000).toISOString().slice(11, 19)}`;

function open(given: Partial<SourceConfig> = {}): Upstream {
  const config: SourceConfig = {
    id: 1,
    name: 'garden',
    url: undefined,
    username: undefined,
    password: undefined,
    path: join(folder, 'birds.db'),
    options: { cameras: {}, timezone: 'Europe/Berlin', writeBack: false },
    ...given,
  };
  const guard = createServiceGuard({ ownAddresses: [] });
  const http = createSourceHttp({ url: config.url, guard });
  const upstream = birdnetPi.open(config, {
    http,
    guard,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  closing.push(upstream);
  return upstream;
}

const since = Date.parse('2026-01-01T00:00:00Z');

async function readAll(
  upstream: Upstream,
  {
    cursor,
    limit = 500,
    ...range
  }: { cursor?: Json | undefined; limit?: number; since?: number; until?: number } = {},
) {
  const events: UpstreamEvent[] = [];
  const dropped: string[] = [];
  let page = await upstream.read({ cursor, since, limit, ...range }, signal);
  for (let pages = 0; ; pages += 1) {
    events.push(...page.events);
    dropped.push(...page.dropped.map(({ reason }) => toEnglish(reason)));
    if (page.isLast) return { events, dropped, cursor: page.cursor };
    if (pages > 500) throw new Error('paging does not end');
    page = await upstream.read({ cursor: page.cursor, since, limit, ...range }, signal);
  }
}

const idsOf = (events: readonly UpstreamEvent[]) => events.map(({ upstreamId }) => upstreamId);
const known = (event: UpstreamEvent | undefined): KnownEvent => {
  if (!event) throw new Error('there is no event');
  return { ...event, reference: event.media?.reference ?? null };
};

describe('reading', () => {
  it('any number of rows, in pages of any size, during new writes, is read completely and once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 17 }),
        async (parts, limit) => {
          database.exec('DELETE FROM detections');
          const upstream = open();
          let cursor: Json | undefined;
          const read: string[] = [];
          let written = 0;
          for (const part of parts) {
            database.exec('BEGIN');
            const until = written + part;
            for (; written < until; written += 1) add(database, { at: clock(written * 3) });
            database.exec('COMMIT');
            const page = await readAll(upstream, { cursor, limit });
            cursor = page.cursor;
            read.push(...idsOf(page.events));
          }
          expect(read).toHaveLength(written);
          expect(new Set(read).size).toBe(written);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('the last day, of a database of 5,000 rows, is read without the others', async () => {
    database.exec('BEGIN');
    for (let count = 0; count < 5_000; count += 1)
      add(database, {
        at: new Date(Date.parse('2026-04-01T00:00:00Z') + count * 600_000)
          .toISOString()
          .slice(0, 19)
          .replace('T', ' '),
      });
    database.exec('COMMIT');
    const range = { since: Date.parse('2026-05-01T22:00:00Z'), until: Date.parse('2026-05-02T22:00:00Z') };
    const { events } = await readAll(open(), range);
    expect([
      events.length,
      events[0]?.upstreamId.slice(0, 19),
      events.at(-1)?.upstreamId.slice(0, 19),
    ]).toEqual([144, '2026-05-02 00:00:00', '2026-05-02 23:50:00']);
  });

  it('rows written twice after a restart, are one event', async () => {
    for (const at of [3, 3, 6, 6]) add(database, { at: clock(at) });
    expect((await readAll(open())).events).toHaveLength(2);
  });

  it('invalid rows among valid ones, are dropped with their reasons', async () => {
    add(database, { at: clock(3) });
    database.exec(`INSERT INTO detections (Date, Time, Sci_Name, Com_Name, Confidence, File_Name) VALUES
      ('0000-00-00', '00:00:00', 'Parus major', 'Great Tit', 0.8, 'x.mp3'), (NULL, NULL, x'00ff', '', 'many', ''),
      ('${day}', '06:00:00', 'Parus major', '<b>', 0.8, 'x.mp3'), ('${day}', '06:00:00', 'Parus major', 'Great Tit', 0.8, '../x.mp3')`);
    add(database, { at: clock(6) });
    const { events, dropped } = await readAll(open());
    expect(events).toHaveLength(2);
    expect(dropped).toEqual([
      '"0000-00-00 00:00:00" is no date and time.',
      '" " is no date and time.',
      'It has no name of a species.',
      'The name of its file leads to another folder.',
    ]);
  });

  it('rows of the night on which the clock goes back, are read in order', async () => {
    const times = ['01:58:00', '02:10:00', '02:50:00', '02:05:00', '02:40:00', '03:10:00'];
    for (const time of times) add(database, { at: `2026-10-25 ${time}` });
    const { events } = await readAll(open(), { limit: 2 });
    const heard = events.map(({ start }) => new Date(start + 1500).toISOString().slice(11, 16));
    expect(heard).toEqual(['23:58', '00:10', '00:50', '01:05', '01:40', '02:10']);
  });

  it.each([
    [
      'the newest row was deleted and its number given to another',
      () => database.exec('DELETE FROM detections WHERE rowid = 5'),
    ],
    [
      'older rows were deleted and the file was packed',
      () => database.exec('DELETE FROM detections WHERE rowid < 4; VACUUM'),
    ],
    [
      'the file was replaced by a new one',
      () => {
        createDatabase(join(folder, 'new.db')).close();
        renameSync(join(folder, 'new.db'), join(folder, 'birds.db'));
        database = keep(new Database(join(folder, 'birds.db')));
      },
    ],
  ])('a bird after %s, is read', async (_case, change) => {
    for (let count = 1; count <= 5; count += 1) add(database, { at: clock(count * 3) });
    const upstream = open();
    const { cursor } = await readAll(upstream);
    change();
    add(database, { at: clock(60), name: ['Turdus merula', 'Blackbird'] });
    const { events } = await readAll(upstream, { cursor });
    expect(idsOf(events)).toContain(`${clock(60)}|Turdus merula|0.8700`);
  });
});

describe('reading again', () => {
  it('rows of birds that a person renamed, are the same as the events of their clips only', async () => {
    const dunnock = ['Prunella modularis', 'Dunnock'] as const;
    add(database, { at: clock(3) });
    add(database, { at: clock(3), name: dunnock, confidence: 0.71 });
    const upstream = open();
    const [first, second] = (await readAll(upstream)).events;
    database.exec(`UPDATE detections SET Sci_Name = 'Cyanistes caeruleus', Com_Name = 'Blue Tit', Confidence = 0,
      File_Name = replace(File_Name, 'Great_Tit', 'Blue_Tit') WHERE Com_Name = 'Great Tit'`);
    const [renamed, other] = (await readAll(upstream)).events;
    expect([renamed?.isSame?.(known(first)), renamed?.isSame?.(known(second))]).toEqual([true, false]);
    expect(other?.isSame).toBeUndefined();
  });

  it('a bird that a person renamed, is the same event with another name, reviewed', async () => {
    add(database, { at: clock(3) });
    const upstream = open();
    const [event] = (await readAll(upstream)).events;
    database.exec(`UPDATE detections SET Sci_Name = 'Periparus ater', Com_Name = 'Coal Tit', Confidence = '1.001',
      File_Name = replace(File_Name, 'Great_Tit', 'Coal_Tit')`);
    const again = await upstream.readAgain(known(event), signal);
    expect(again).toMatchObject({
      event: {
        upstreamId: event?.upstreamId,
        start: event?.start,
        detections: [{ speciesName: 'Periparus ater_Coal Tit', confidence: 1, reviewed: true }],
      },
    });
  });

  it('a bird in the second of two equal hours, keeps its time, and a deleted one is undefined', async () => {
    for (const time of ['02:50:00', '02:05:00']) add(database, { at: `2026-10-25 ${time}` });
    const upstream = open();
    const event = (await readAll(upstream)).events.at(-1);
    database.exec('DELETE FROM detections WHERE rowid = 1; VACUUM');
    expect(await upstream.readAgain(known(event), signal)).toMatchObject({ event: { start: event?.start } });
    database.exec('DELETE FROM detections');
    expect(await upstream.readAgain(known(event), signal)).toBeUndefined();
  });
});

describe('clips', () => {
  const wren = ['Troglodytes troglodytes', "Jenny's Wren"] as const;
  const out = () => join(folder, 'out.mp3');

  async function eventWith(given: Partial<SourceConfig> = {}) {
    add(database, { at: clock(3), name: wren, file: 'Jennys_Wren-87-2026-05-01-birdnet-00:00:03.mp3' });
    const upstream = open(given);
    const [event] = (await readAll(upstream)).events;
    return { upstream, event: known(event) };
  }

  function writeClip(path: string, text = 'sound'): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  }

  const clipFile = 'Jennys_Wren-87-2026-05-01-birdnet-00:00:03.mp3';

  it.each([`By_Date/${day}/Jennys_Wren`, `BirdSongs/Extracted/By_Date/${day}/Jenny's Wren`])(
    'in %s, are copied',
    async (path) => {
      const { upstream, event } = await eventWith();
      writeClip(join(folder, path, clipFile));
      expect(await upstream.fetch(event, out(), signal)).toEqual({
        outcome: 'ready',
        middle: event.start + 3_000,
      });
      expect(readFileSync(out(), 'utf8')).toBe('sound');
    },
  );

  it('with the database in the folder of BirdNET-Pi, are copied from the folder of songs', async () => {
    mkdirSync(join(folder, 'BirdNET-Pi/scripts'), { recursive: true });
    database = createDatabase(join(folder, 'BirdNET-Pi/scripts/birds.db'));
    const path = join(folder, 'BirdSongs/Extracted/By_Date', day, 'Jennys_Wren', clipFile);
    rmSync(join(folder, 'birds.db'));
    const { upstream, event } = await eventWith({ path: folder });
    writeClip(path);
    expect(await upstream.fetch(event, out(), signal)).toEqual({
      outcome: 'ready',
      middle: event.start + 3_000,
    });
  });

  it('that were deleted, never come', async () => {
    mkdirSync(join(folder, 'By_Date'));
    const { upstream, event } = await eventWith();
    expect(await upstream.fetch(event, out(), signal)).toEqual({
      outcome: 'never',
      reason: say('clip_not_in_folder'),
    });
  });

  it('that are links out of the folder, are refused', async () => {
    const { upstream, event } = await eventWith();
    const path = join(folder, 'By_Date', day, 'Jennys_Wren', clipFile);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync('/etc/hostname', path);
    expect(await upstream.fetch(event, out(), signal)).toMatchObject({
      outcome: 'never',
      reason: say('clip_linked'),
    });
  });

  it('that were written just now, are fetched later', async () => {
    const { upstream, event } = await eventWith();
    const path = join(folder, 'By_Date', day, 'Jennys_Wren', clipFile);
    writeClip(path);
    utimesSync(path, new Date(), new Date());
    expect(await upstream.fetch(event, out(), signal)).toMatchObject({ outcome: 'later' });
  });

  describe('by URL', () => {
    let server: Server;
    let seen: (string | undefined)[];
    let respond: (path: string) => number;

    beforeEach(async () => {
      seen = [];
      respond = () => 404;
      server = createServer((request, response) => {
        seen.push(request.url, request.headers.authorization);
        response.writeHead(respond(request.url ?? '')).end('sound');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    });
    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;

    it('are requested with the folder name of BirdNET-Pi, then with the plain name', async () => {
      respond = (path) => (path.includes("Jenny's%20Wren") || path.includes('Jenny%27s%20Wren') ? 200 : 404);
      const { upstream, event } = await eventWith({ url: url(), username: 'birdnet', password: 'secret' });
      expect(await upstream.fetch(event, out(), signal)).toEqual({
        outcome: 'ready',
        middle: event.start + 3_000,
      });
      expect(readFileSync(out(), 'utf8')).toBe('sound');
      expect(seen).toEqual([
        `/base/By_Date/${day}/Jennys_Wren/Jennys_Wren-87-2026-05-01-birdnet-00%3A00%3A03.mp3`,
        'Basic YmlyZG5ldDpzZWNyZXQ=',
        `/base/By_Date/${day}/Jenny's%20Wren/Jennys_Wren-87-2026-05-01-birdnet-00%3A00%3A03.mp3`,
        'Basic YmlyZG5ldDpzZWNyZXQ=',
      ]);
    });

    it.each([
      [404, { outcome: 'never' }],
      [503, { outcome: 'later' }],
    ])('with status %s, are %o', async (status, outcome) => {
      respond = () => status;
      const { upstream, event } = await eventWith({ url: url() });
      expect(await upstream.fetch(event, out(), signal)).toMatchObject(outcome);
    });

    it('with status 401, require a login', async () => {
      respond = () => 401;
      const { upstream, event } = await eventWith({ url: url() });
      await expect(upstream.fetch(event, out(), signal)).rejects.toMatchObject({ stage: 'login' });
    });
  });
});

describe('the test of a connection', () => {
  async function test(given: Partial<SourceConfig> = {}) {
    const steps: unknown[] = [];
    for await (const step of open(given).test(signal))
      steps.push('stage' in step ? [step.stage, step.ok, toEnglish(step.sentences)] : step.sample.length);
    return steps;
  }

  it('with birds and a clip, passes every stage', async () => {
    add(database, { at: clock(3) });
    mkdirSync(join(folder, 'By_Date', day, 'Great_Tit'), { recursive: true });
    const path = join(folder, 'By_Date', day, 'Great_Tit', `Great_Tit-87-${day}-birdnet-00:00:03.mp3`);
    writeFileSync(path, 'sound');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    expect(await test()).toEqual([
      ['address', true, `The database ${join(folder, 'birds.db')} was found.`],
      ['login', true, 'A file needs no login.'],
      ['version', true, 'It is the database of a BirdNET-Pi.'],
      ['permission', true, 'Its birds can be read.'],
      ['birds', true, 'The newest bird: Great Tit, 2026-04-30T22:00:03.000Z.'],
      1,
      ['clip', true, 'A clip was fetched.'],
    ]);
  });

  it('without birds, passes without a clip', async () => {
    expect((await test()).at(-1)).toEqual([
      'birds',
      true,
      'There are no birds yet: they appear here as soon as BirdNET-Pi hears one.',
    ]);
  });

  it('without clips, fails at the last stage and names the consequence', async () => {
    add(database, { at: clock(3) });
    expect((await test()).at(-1)).toEqual([
      'clip',
      false,
      'There is no folder By_Date beside the database, and no address to download clips from. Birds are imported without sound.',
    ]);
  });

  it('with a path that does not exist, fails at the address', async () => {
    expect(await test({ path: join(folder, 'none.db') })).toEqual([
      ['address', false, `There is no file ${join(folder, 'none.db')}. In a container it must be mounted.`],
    ]);
  });

  it('with a folder without a database, fails at the address', async () => {
    mkdirSync(join(folder, 'empty'));
    expect(await test({ path: join(folder, 'empty') })).toEqual([
      ['address', false, `There is no birds.db in the folder ${join(folder, 'empty')}.`],
    ]);
  });

  it('with another database, names the missing table', async () => {
    const other = new Database(join(folder, 'other.db'));
    closing.push(other);
    other.exec('CREATE TABLE notes (id INTEGER)');
    expect((await test({ path: join(folder, 'other.db') })).at(-1)).toEqual([
      'version',
      false,
      'The database has no table "detections": it is that of another program.',
    ]);
  });
});

describe('birdnetPi.check', () => {
  const config = {
    options: { cameras: {}, timezone: 'UTC', writeBack: false },
    id: 0,
    name: 'x',
    url: undefined,
    username: undefined,
    password: undefined,
  };
  it.each([
    [
      undefined,
      {
        message: 'is needed: the path of the database on this machine, such as /sources/birds.db',
        code: 'path_needed',
        values: { example: '/sources/birds.db' },
      },
    ],
    ['birds.db', { message: 'must be absolute: it begins with a slash', code: 'absolute_database' }],
  ])('a path of %s, is refused', (path, refusal) => {
    expect(birdnetPi.check({ ...config, path })).toEqual([{ path: '/path', ...refusal }]);
  });
});
