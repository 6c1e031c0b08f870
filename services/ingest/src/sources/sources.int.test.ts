import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ToolTimeoutError } from '@birdhub/domain/media';
import { invalidField } from '@birdhub/shared/errors';
import { createSecretBox, givenKeys } from '@birdhub/shared/secrets';
import { systemClock } from '@birdhub/shared/time';
import {
  createTestDatabase,
  emptyTables,
  findMetricMistakes,
  recordingTables,
  type TestDatabase,
} from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';
import { FakeUpstream, upstreamDetection, upstreamEvent } from '../testing/fake-upstream.js';
import { say } from './sentences.js';
import { SourceEventStore } from './source-events.store.js';
import { UpstreamError } from './source-kind.js';

const soon = { interval: 20 };
const hour = 3_600_000;
const listed = '/api/ui/sources';
const tables = ['source', 'source_event', 'source_dropped', 'job', 'camera', ...recordingTables];

describe('sources', () => {
  let folder: string;
  let clip: string;
  let database: TestDatabase;
  let hub: TestIngest;
  let fake: FakeUpstream;
  const now = () => Date.now();

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'sources-'));
    clip = join(folder, 'clip.mp4');
    const film = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10', '-t', '3', '-pix_fmt', 'yuv420p'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...film, clip]);
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    await emptyTables(database.pool, tables);
    fake = new FakeUpstream();
    hub = await createTestIngest({
      sources: { kinds: { frigate: fake.kind }, clock: systemClock },
      database,
    });
    hub.sources.start();
  });
  afterEach(() => hub.close());

  const body = (given: object = {}) => ({
    kind: 'frigate',
    name: 'Garden',
    url: 'http://127.0.0.1:5000/',
    ...given,
  });
  const add = async (given: object = {}) => {
    const { status, body: created } = await hub.send('POST', listed, body(given));
    expect(status).toBe(201);
    return created.id as number;
  };
  const detail = async (id: number) => (await hub.send('GET', `${listed}/${id}`)).body;
  const videos = () =>
    hub.rows<{ id: number; path: string; camera: string; media: string; species: string }>(
      `SELECT video.id, video_path AS path, camera_id AS camera, media,
         (SELECT string_agg(species.name, ',' ORDER BY species.name) FROM detection
          JOIN species ON species.id = species_id WHERE video_id = video.id) AS species
       FROM video ORDER BY start_time`,
    );
  const count = async () => (await videos()).length;
  const until = (number: number) => vi.waitFor(async () => expect(await count()).toBe(number), soon);
  /** Has the stored events read again. The outcome of their first read sets the time of the next one, so it comes first. */
  const requestReread = async () => {
    await vi.waitFor(
      async () => expect(await hub.rows('SELECT FROM source WHERE read_until IS NULL')).toEqual([]),
      soon,
    );
    await hub.rows('UPDATE source_event SET reread_at = now()');
  };
  const jobState = async (id: number) =>
    (
      await hub.rows<{ state: string; result: object; error: string }>(
        'SELECT state, result, error FROM job WHERE id = $1',
        [id],
      )
    )[0];

  describe('configured', () => {
    it('with a password, are listed without it and store it encrypted', async () => {
      const mqtt = 'mqtt://hub:broker-secret@192.168.1.5:1883';
      const id = await add({
        username: 'admin',
        password: 'hunter22',
        options: { mqtt_url: mqtt, cameras: { birdcam: 'garden' } },
      });
      const shown = await detail(id);
      expect(shown).toMatchObject({
        id,
        name: 'Garden',
        url: 'http://127.0.0.1:5000',
        username: 'admin',
        has_password: true,
        options: { mqtt_url: 'mqtt://hub:***@192.168.1.5:1883', cameras: { birdcam: 'garden' } },
      });
      const [row] = await hub.rows<{ text: string; credential: string }>(
        'SELECT source::text AS text, credential FROM source',
      );
      expect(JSON.stringify(shown) + row?.text).not.toMatch(/hunter22|broker-secret/);
      const opened = createSecretBox(givenKeys('test')).open(row?.credential ?? '');
      expect(opened).toEqual({ password: 'hunter22', mqttUrl: mqtt });
    });

    it('with invalid values, are refused by field, and nothing is stored', async () => {
      const wrong: readonly (readonly [object, string])[] = [
        [{ name: ' ' }, '/name'],
        [{ url: 'ftp://host' }, '/url'],
        [{ url: 'http://user:password@host' }, '/url'],
        [{ url: 'http://host?token=1' }, '/url'],
        [{ url: null }, '/url'],
        [{ path: 'relative' }, '/path'],
        [{ path: '/proc/self/environ' }, '/path'],
        [{ path: '/no/such/file' }, '/path'],
        [{ options: { timezone: 'Nowhere' } }, '/options/timezone'],
        [{ options: { min_confidence: 2 } }, '/options/min_confidence'],
        [{ options: { mqtt_url: 'not a url' } }, '/options/mqtt_url'],
        [{ options: { mqtt_url: 'mqtt://169.254.169.254' } }, '/options/mqtt_url'],
        [{ options: { cameras: { a: ' ' } } }, '/options/cameras/a'],
        [{ options: { colour: 1 } }, '/options'],
        [{ kind: 'birdnet-go' }, '/kind'],
      ];
      for (const [given, path] of wrong) {
        const response = await hub.send('POST', listed, body(given));
        expect([given, response.status, response.body.code]).toEqual([given, 400, 'invalid_request']);
        const paths = response.body.details.map((one: { path: string }) => one.path).join();
        expect(paths, JSON.stringify(given)).toContain(path);
      }
      expect((await hub.send('GET', listed)).body).toEqual([]);
    });

    it('with a path into the folders of the hub, are refused', async () => {
      await writeFile(join(hub.recordingsDir, '..', 'settings.key'), 'key');
      for (const path of [
        join(hub.recordingsDir, '..', 'settings.key'),
        join(hub.recordingsDir, '..'),
        '/',
      ]) {
        const response = await hub.send('POST', listed, body({ path }));
        expect(response).toMatchObject({ status: 400, body: { details: [{ path: '/path' }] } });
      }
    });

    it('beside another of their kind, have their name before those of their cameras unless mapped', async () => {
      const camerasOf = async (id: number) =>
        (await detail(id)).cameras.map((camera: { camera_id: string }) => camera.camera_id);
      const first = await add();
      const second = await add({ name: 'Pond', options: { cameras: { feeder: 'feeder' } } });
      await hub.rows(`UPDATE source SET cameras = '{birdcam,feeder}'`);
      expect(await camerasOf(first)).toEqual(['birdcam', 'feeder']);
      expect(await camerasOf(second)).toEqual(['Pond/birdcam', 'feeder']);
      await hub.send('PATCH', `${listed}/${second}`, { name: 'Lake', options: { cameras: {} } });
      expect(await camerasOf(second)).toEqual(['Pond/birdcam', 'Pond/feeder']);
      expect((await detail(second)).options.camera_prefix).toBe('Pond');
    });

    it('with the name of another, are refused', async () => {
      await add();
      expect(await hub.send('POST', listed, body())).toMatchObject({
        status: 409,
        body: { code: 'source_name_taken' },
      });
    });

    it('moved to another host without a password, lose the stored one, and keep it on the same host', async () => {
      const id = await add({ password: 'hunter22', enabled: false });
      const patch = async (change: object) => {
        const response = await hub.send('PATCH', `${listed}/${id}`, change);
        expect(response.status).toBe(200);
        return response.body.has_password;
      };
      expect(await patch({ name: 'Other' })).toBe(true);
      expect(await patch({ url: 'http://127.0.0.1:5000/frigate' })).toBe(true);
      expect(await patch({ url: 'http://127.0.0.1:5001' })).toBe(false);
      expect(await patch({ password: 'again' })).toBe(true);
      expect(await patch({ url: 'https://127.0.0.1:5001', password: 'new' })).toBe(true);
      expect(await patch({ password: null })).toBe(false);
    });

    it('tested when stored, use their password unless the host is another one', async () => {
      const id = await add({ password: 'hunter22', enabled: false });
      const earlier = upstreamEvent({ start: now() - 2 * hour, camera: 'pond' });
      fake.events = [earlier, upstreamEvent({ start: now() - hour })];
      const response = await hub.send('POST', `${listed}/test`, body({ id }));
      expect(response).toMatchObject({
        status: 200,
        body: {
          ok: true,
          stages: [{ stage: 'address' }, { stage: 'birds' }],
          sample: [{ camera: 'birdcam' }, { camera: 'pond' }],
        },
      });
      await hub.send('POST', `${listed}/test`, body({ id, url: 'http://10.0.0.9:5000' }));
      expect(fake.passwords).toEqual(['hunter22', undefined]);
      expect(await count()).toBe(0);
    });

    it('with a failing test, report the stage and no secret', async () => {
      fake.failure = new UpstreamError('login', say('other', { text: 'It refuses the password hunter22.' }));
      const response = await hub.send('POST', `${listed}/test`, body({ password: 'hunter22' }));
      expect(response.body).toMatchObject({
        ok: false,
        stages: [{ ok: true }, { stage: 'login', ok: false, detail: 'It refuses the password ***.' }],
      });
    });
  });

  describe('read live', () => {
    it('a new event, is stored under its upstream id with the names of the hub', async () => {
      const start = now() + 1_000;
      fake.events = [upstreamEvent({ start, upstreamId: '1607123955.475377-mxklsc' })];
      const id = await add({ options: { cameras: { birdcam: 'garden' } } });
      await until(1);
      const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '/');
      expect(await videos()).toMatchObject([
        {
          path: `data/recordings/sources/${id}/${day}/1607123955.475377-mxklsc/clip.mp4`,
          camera: 'garden',
          media: 'none',
          species: 'Great Tit',
        },
      ]);
      await vi.waitFor(async () => expect((await detail(id)).state).toBe('live'), soon);
      expect(await detail(id)).toMatchObject({
        recordings: 1,
        behind_seconds: 0,
        message: null,
        cameras: [{ upstream: 'birdcam', camera_id: 'garden' }],
        last_event_at: new Date(start + 10_000).toISOString(),
      });
    });

    it('a notification of the upstream, has it read at once', async () => {
      await add();
      await vi.waitFor(() => expect(fake.notify).toBeDefined(), soon);
      fake.events.push(upstreamEvent({ start: now() + 1_000 }));
      fake.notify?.();
      await until(1);
    });

    it('an id that leads out of the folder, becomes a name within it', async () => {
      fake.events = [
        upstreamEvent({ start: now(), upstreamId: '../../../etc/passwd' }),
        upstreamEvent({ start: now(), upstreamId: '..' }),
        upstreamEvent({ start: now(), upstreamId: 'x'.repeat(500) }),
      ];
      const id = await add();
      await until(3);
      for (const { path } of await videos())
        expect(path).toMatch(new RegExp(`^data/recordings/sources/${id}/[\\d/]+/x[0-9a-f]{40}/clip\\.mp4$`));
    });

    it('an invalid event, is listed with its reason', async () => {
      fake.events = [
        upstreamEvent({ start: Number.NaN, upstreamId: 'no-time' }),
        upstreamEvent({ start: now() + 3 * 86_400_000, upstreamId: 'future' }),
        upstreamEvent({ start: now(), upstreamId: 'a\u0000b' }),
        upstreamEvent({
          start: now(),
          upstreamId: 'doubt',
          detections: [upstreamDetection({ confidence: 0.3 })],
        }),
        upstreamEvent({ start: now(), upstreamId: 'good' }),
      ];
      fake.dropped = [
        { upstreamId: 'squirrel', at: now(), reason: say('other', { text: 'It is a squirrel.' }) },
      ];
      const id = await add({ options: { min_confidence: 0.5 } });
      await until(1);
      await vi.waitFor(async () => expect((await detail(id)).dropped).toHaveLength(5), soon);
      const { dropped } = await detail(id);
      expect(dropped.map((one: { upstream_id: string }) => one.upstream_id).sort()).toEqual([
        'a\ufffdb',
        'doubt',
        'future',
        'no-time',
        'squirrel',
      ]);
    });

    it('a bird that a person named upstream, is stored despite a low confidence', async () => {
      const doubt = { confidence: 0.3, reviewed: true };
      fake.events = [upstreamEvent({ start: now(), detections: [upstreamDetection(doubt)] })];
      await add({ options: { min_confidence: 0.5 } });
      await until(1);
    });

    it('names with markup and control characters, are stored as plain text', async () => {
      fake.events = [
        upstreamEvent({
          start: now(),
          camera: 'bird\u0007cam\n<script>',
          detections: [upstreamDetection({ speciesName: '<b>Tit</b>\u0000\u202e' })],
        }),
      ];
      await add();
      await until(1);
      const [video] = await videos();
      expect(video?.camera).toBe('bird cam <script>');
      expect(video?.species).not.toMatch(/\p{Cc}/u);
    });

    it('an event that continues, is stored when it has ended', async () => {
      const start = now();
      fake.events = [upstreamEvent({ start, isOpen: true })];
      const id = await add();
      await vi.waitFor(async () => expect((await hub.rows('SELECT FROM source_event')).length).toBe(1), soon);
      expect(await count()).toBe(0);
      fake.events = [upstreamEvent({ start })];
      await requestReread();
      await until(1);
      // Its outcome is noted after the recording is stored.
      await vi.waitFor(
        async () => expect(await hub.rows('SELECT FROM source_event WHERE is_open')).toEqual([]),
        soon,
      );
      expect((await detail(id)).dropped).toEqual([]);
    });

    it('an event that continues, is listed with the reason for which it is skipped when it has ended', async () => {
      const event = upstreamEvent({ start: now(), isOpen: true });
      const { upstreamId, start } = event;
      fake.events = [event];
      const id = await add();
      await vi.waitFor(async () => expect((await hub.rows('SELECT FROM source_event')).length).toBe(1), soon);
      const reason = say('low_confidence', { confidence: 30, min: 50 });
      fake.events = [];
      fake.dropped = [{ upstreamId, at: start, reason }];
      await requestReread();
      await vi.waitFor(async () => {
        expect(await hub.rows('SELECT FROM source_event WHERE reread_at IS NOT NULL')).toEqual([]);
        expect((await detail(id)).dropped).toMatchObject([{ sentences: [{ code: 'low_confidence' }] }]);
      }, soon);
    });

    it('an event that continues for more than a day, is cut', async () => {
      const start = now() - 25 * hour;
      fake.events = [upstreamEvent({ start, end: now(), isOpen: true })];
      await add();
      await until(1);
      const [video] = await hub.rows<{ seconds: number }>(
        'SELECT extract(epoch FROM end_time - start_time)::float8 AS seconds FROM video',
      );
      expect(video?.seconds).toBe(86_400);
    });

    it('a later name, replaces the first, but not one given by a person', async () => {
      const start = now();
      const named = (speciesName: string) =>
        upstreamEvent({
          start,
          detections: [upstreamDetection({ speciesName, trackId: 't1' })],
          rereadAfterMs: [1],
        });
      fake.events = [named('Bird')];
      await add();
      await until(1);
      fake.events = [named('Robin')];
      await requestReread();
      await vi.waitFor(async () => expect((await videos())[0]?.species).toMatch(/Robin/), soon);
      const [detection] = await hub.rows<{ id: number }>('SELECT id FROM detection');
      const [tit] = await hub.rows<{ id: number }>(`SELECT id FROM species WHERE name = 'Great Tit'`);
      await hub.writer.correct(
        { detectionId: detection?.id ?? 0, speciesId: tit?.id ?? 0, scope: 'single_track' },
        { role: 'admin', requestId: 'test' },
      );
      fake.events = [named('Dunnock')];
      await requestReread();
      await vi.waitFor(async () => {
        const [event] = await hub.rows<{ due: boolean }>(
          'SELECT reread_at IS NOT NULL AS due FROM source_event',
        );
        expect(event?.due).toBe(false);
      }, soon);
      expect((await videos())[0]?.species).toBe('Great Tit');
    });

    it('a later name of a stored event, is taken also below a minimum that was raised since', async () => {
      const start = now();
      const named = (speciesName: string) =>
        upstreamEvent({
          start,
          detections: [upstreamDetection({ speciesName, trackId: 't1', confidence: 0.6 })],
        });
      fake.events = [named('Great Tit')];
      const id = await add();
      await until(1);
      const { status } = await hub.send('PATCH', `${listed}/${id}`, { options: { min_confidence: 0.7 } });
      expect(status).toBe(200);
      await vi.waitFor(() => expect(fake.openCount).toBe(2), soon);
      fake.events = [named('Dunnock')];
      await requestReread();
      await vi.waitFor(async () => expect((await videos())[0]?.species).toBe('Dunnock'), soon);
      expect((await detail(id)).dropped).toEqual([]);
    });

    describe('of which each is one bird', () => {
      const correctTo = async (name: string) => {
        const [row] = await hub.rows<{ detection: number; species: number }>(
          'SELECT detection.id AS detection, species.id AS species FROM detection, species WHERE name = $1',
          [name],
        );
        await hub.writer.correct(
          { detectionId: row?.detection ?? 0, speciesId: row?.species ?? 0, scope: 'single_track' },
          { role: 'admin', requestId: 'test' },
        );
      };
      const readAgain = async () => {
        await requestReread();
        await vi.waitFor(async () => {
          expect(await hub.rows('SELECT FROM source_event WHERE reread_at IS NOT NULL')).toEqual([]);
        }, soon);
      };
      beforeEach(() => {
        fake.kind.hasOneBirdPerEvent = true;
      });

      it('a correction before the clip changes the times, stays with the one bird', async () => {
        const start = now() - 60_000;
        fake.events = [upstreamEvent({ start })];
        await add();
        await until(1);
        await correctTo('European Robin');
        await hub.rows(
          `UPDATE source_event SET clip_started_at = started_at - interval '12 s', clip_ended_at = ended_at`,
        );
        await readAgain();
        expect((await videos()).map(({ species }) => species)).toEqual(['European Robin']);
        const [{ offset } = { offset: 0 }] = await hub.rows<{ offset: number }>(
          'SELECT start_offset AS "offset" FROM detection',
        );
        expect(offset).toBe(12);
      });

      it('a verdict of the upstream, applies until a person gives one, and can be taken back', async () => {
        const start = now() - 60_000;
        const heard = (speciesName: string, reviewed: boolean) => [
          upstreamEvent({ start, detections: [upstreamDetection({ speciesName, reviewed })] }),
        ];
        const species = async () => (await videos()).map((video) => video.species);
        fake.events = heard('Great Tit', false);
        await add();
        await until(1);
        fake.events = heard('Unknown', true);
        await readAgain();
        expect(await species()).toEqual(['Unknown']);
        fake.events = heard('Great Tit', false);
        await readAgain();
        expect(await species()).toEqual(['Great Tit']);
        await correctTo('European Robin');
        fake.events = heard('Unknown', true);
        await readAgain();
        expect(await species()).toEqual(['European Robin']);
      });
    });

    it('an event that upstream keeps for ever, is a favourite until a person decides otherwise', async () => {
      const event = upstreamEvent({ start: now() - 60_000, isFavorite: true });
      fake.events = [event];
      await add();
      await until(1);
      const favorites = () => hub.rows('SELECT favorite FROM video');
      expect(await favorites()).toEqual([{ favorite: true }]);
      await hub.rows('UPDATE video SET favorite = false');
      fake.events = [{ ...event, extra: { changed: true } }];
      await requestReread();
      await vi.waitFor(async () => {
        expect(await hub.rows('SELECT FROM video WHERE extra @> \'{"changed": true}\'')).toHaveLength(1);
      }, soon);
      expect(await favorites()).toEqual([{ favorite: false }]);
    });

    it('an event under another id that is the same, is stored once', async () => {
      const event = upstreamEvent({ start: now() - 60_000 });
      const other = upstreamEvent({ start: event.start, upstreamId: 'another' });
      fake.events = [event, other];
      await add();
      await until(2);
      const renamed: typeof event = {
        ...event,
        upstreamId: 'renamed',
        detections: [upstreamDetection({ speciesName: 'Dunnock' })],
        isSame: ({ upstreamId }) => [event.upstreamId, other.upstreamId].includes(upstreamId),
      };
      fake.events = [event, other, other, renamed];
      fake.notify?.();
      await vi.waitFor(async () => {
        const species = (await videos()).map((video) => video.species).sort();
        expect(species).toEqual(['Dunnock', 'Great Tit']);
      }, soon);
    });

    it('one of several birds, deleted upstream, stays with the others, which get later names', async () => {
      const start = now();
      const bird = (speciesName: string) => upstreamDetection({ speciesName, trackId: speciesName });
      const both = upstreamEvent({ start, detections: [bird('Great Tit'), bird('Blue Tit')] });
      fake.events = [both];
      await add();
      await until(1);
      const species = async () => (await videos())[0]?.species;
      expect(await species()).toBe('Eurasian Blue Tit,Great Tit');
      const named = upstreamDetection({ speciesName: 'Dunnock', trackId: 'Great Tit' });
      fake.events = [{ ...both, detections: [named], absentTracks: ['Blue Tit'] }];
      await requestReread();
      await vi.waitFor(async () => expect(await species()).toBe('Dunnock,Eurasian Blue Tit'), soon);
    });

    it('a recording deleted upstream, stays, and one that a person deleted stays deleted', async () => {
      fake.events = [upstreamEvent({ start: now() }), upstreamEvent({ start: now() + 1_000 })];
      await add();
      await until(2);
      const [first] = await videos();
      await hub.writer.remove(first?.id ?? 0, { role: 'admin', requestId: 'test' });
      fake.events = [upstreamEvent({ start: now() + 2_000 }), ...fake.events];
      await hub.rows('UPDATE source SET cursor = NULL, revision = revision + 1');
      await hub.rows('UPDATE source_event SET fingerprint = NULL');
      await until(2);
      fake.events = [];
      await requestReread();
      // A running source has cached when the next event is due.
      await hub.rows('UPDATE source SET revision = revision + 1');
      await vi.waitFor(async () => {
        const due = await hub.rows('SELECT FROM source_event WHERE reread_at IS NOT NULL');
        expect(due).toEqual([]);
      }, soon);
      expect(await count()).toBe(2);
    });

    it('an upstream that fails, is shown with the reason, and read again when it recovers', async () => {
      fake.failure = new UpstreamError('address', say('no_listener'));
      const id = await add();
      await vi.waitFor(async () => expect((await detail(id)).state).toBe('error'), soon);
      expect((await detail(id)).message).toBe('Nothing listens at this address and port.');
      fake.events = [upstreamEvent({ start: now() })];
      fake.failure = undefined;
      await until(1);
      await vi.waitFor(async () => expect((await detail(id)).state).toBe('live'), soon);
    });

    it('a source that cannot be opened for the moment, is opened at the next check', async () => {
      const { open } = fake.kind;
      fake.kind.open = () => {
        fake.kind.open = open;
        throw new Error('the database is not reachable');
      };
      fake.events = [upstreamEvent({ start: now() })];
      await add();
      await until(1);
    });

    it('a source with an invalid configuration, is shown with the reason and opened after a change', async () => {
      const { open } = fake.kind;
      fake.kind.open = () => {
        throw invalidField('/path', 'is required');
      };
      fake.events = [upstreamEvent({ start: now() })];
      const id = await add();
      await vi.waitFor(async () => expect((await detail(id)).message).toMatch(/path: is required/), soon);
      fake.kind.open = open;
      await hub.send('PATCH', `${listed}/${id}`, { name: 'Pond' });
      await until(1);
    });

    it('pages without an end, are reported', async () => {
      fake.page = () => ({ events: [], dropped: [], cursor: 1, isLast: false });
      const id = await add();
      await vi.waitFor(async () => expect((await detail(id)).message).toMatch(/same page/), soon);
    });

    it('two processes, read one source once at a time', async () => {
      const other = await createTestIngest({
        sources: { kinds: { frigate: fake.kind }, clock: systemClock },
        database,
      });
      other.sources.start();
      fake.events = [upstreamEvent({ start: now() })];
      fake.onRead = () => new Promise((resolve) => setTimeout(resolve, 50));
      await add();
      await until(1);
      await vi.waitFor(() => expect(fake.readCount).toBeGreaterThan(5), soon);
      expect(fake.openCount).toBe(1);
      expect(fake.maxConcurrentReads).toBe(1);
      await other.close();
    });

    it('a paused source, is not read, and a deleted one keeps or loses its recordings', async () => {
      fake.events = [upstreamEvent({ start: now() })];
      const id = await add();
      await until(1);
      expect((await hub.send('PATCH', `${listed}/${id}`, { enabled: false })).body.state).toBe('paused');
      fake.events.push(upstreamEvent({ start: now() + 1_000 }));
      expect((await hub.send('DELETE', `${listed}/${id}`)).status).toBe(200);
      expect((await hub.send('GET', `${listed}/${id}`)).status).toBe(404);
      expect(await count()).toBe(1);
      const again = await add();
      await until(3);
      expect((await hub.send('DELETE', `${listed}/${again}?data=remove`)).status).toBe(200);
      expect((await hub.send('GET', listed)).body).toEqual([]);
      await until(1);
      await vi.waitFor(async () => expect(await hub.rows('SELECT FROM source')).toEqual([]), soon);
      expect(await hub.rows('SELECT FROM source_event')).toEqual([]);
    });

    it('a source whose recordings are being deleted, does not hold up another one', async () => {
      fake.events = [upstreamEvent({ start: now() })];
      const id = await add();
      await until(1);
      const blocker = await hub.database.pool.connect();
      try {
        await blocker.query('BEGIN');
        await blocker.query('SELECT FROM video FOR UPDATE');
        expect((await hub.send('DELETE', `${listed}/${id}?data=remove`)).status).toBe(200);
        await vi.waitFor(async () => {
          const waiting = await hub.rows(
            `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`,
          );
          expect(waiting).not.toEqual([]);
        }, soon);
        fake.events = [];
        await add({ name: 'Balcony' });
        await vi.waitFor(() => expect(fake.openCount).toBe(2), soon);
      } finally {
        await blocker.query('ROLLBACK');
        blocker.release();
      }
      await vi.waitFor(async () => expect(await hub.rows('SELECT FROM source')).toHaveLength(1), soon);
      expect(await count()).toBe(0);
    });

    it('after events, have valid metrics', async () => {
      fake.events = [upstreamEvent({ start: now() })];
      await add();
      await until(1);
      await vi.waitFor(async () => {
        const text = await hub.metrics();
        expect(text).toMatch(/hub_source_up\{source="Garden",kind="frigate".*\} 1/);
        expect(text).toMatch(/hub_source_events_total\{source="Garden",kind="frigate".*\} 1/);
      }, soon);
      expect(findMetricMistakes(await hub.metrics())).toEqual([]);
    });
  });

  describe('files', () => {
    const media = { extension: '.mp4', reference: 'clip' };

    it('that are available, are fetched, made seekable, and announced', async () => {
      const event = upstreamEvent({ start: now(), media });
      fake.events = [event];
      fake.files.set(event.upstreamId, clip);
      await add();
      const announced = () =>
        hub.rows<{ payload: { path: string } }>(
          `SELECT payload FROM outbox WHERE subject = 'hub.v1.media.uploaded'`,
        );
      await vi.waitFor(async () => expect(await announced()).toHaveLength(1), soon);
      const [{ payload } = { payload: { path: '' } }] = await announced();
      const file = join(hub.recordingsDir, payload.path);
      expect((await stat(file)).size).toBeGreaterThan(300);
      // The draft is removed after the announcement.
      await expect.poll(() => readdir(join(file, '..'))).toEqual(['clip.mp4']);
      // The recording takes the length of its file.
      await vi.waitFor(async () => {
        const [video] = await hub.rows<{ seconds: number }>(
          'SELECT extract(epoch FROM end_time - start_time)::float8 AS seconds FROM video',
        );
        expect(video?.seconds).toBeCloseTo(3, 1);
      }, soon);
      expect(await count()).toBe(1);
    });

    it('that never come, leave the recording without one', async () => {
      const event = upstreamEvent({ start: now(), media });
      fake.events = [event];
      await add();
      await vi.waitFor(async () => expect((await videos())[0]?.media).toBe('missing'), soon);
      await vi.waitFor(
        async () => expect(await hub.rows(`SELECT FROM source_event WHERE media = 'gone'`)).toHaveLength(1),
        soon,
      );
    });

    it('that are not ready, are retried at growing intervals, but only for a while', async () => {
      const event = upstreamEvent({ start: now(), media });
      fake.events = [event];
      fake.files.set(event.upstreamId, { outcome: 'later', reason: say('clip_being_written') });
      await add();
      const waits: number[] = [];
      for (let tries = 1; tries <= 6; tries += 1) {
        const [row] = await vi.waitFor(async () => {
          const rows = await hub.rows<{ wait: number }>(
            `SELECT extract(epoch FROM media_at - now())::float8 AS wait FROM source_event WHERE media_tries = $1`,
            [tries],
          );
          expect(rows).toHaveLength(1);
          return rows;
        }, soon);
        waits.push(row?.wait ?? 0);
        await hub.rows('UPDATE source_event SET media_at = now()');
      }
      expect(waits.map((wait) => Math.round(wait / 20))).toEqual([1, 2, 4, 8, 16, 32]);
      await vi.waitFor(async () => expect((await videos())[0]?.media).toBe('missing'), soon);
    });

    it('that fail for one event, count as an attempt and do not delay those of others', async () => {
      const events = [0, 1, 2, 3].map((second) => upstreamEvent({ start: now() + second * 1_000, media }));
      for (const { upstreamId } of events) fake.files.set(upstreamId, clip);
      const [first] = events;
      fake.files.set(first?.upstreamId ?? '', new ToolTimeoutError('ffmpeg took longer than 1 ms'));
      fake.events = events;
      await add();
      await vi.waitFor(
        async () =>
          expect(await hub.rows('SELECT media, media_tries FROM source_event ORDER BY started_at')).toEqual([
            { media: 'waiting', media_tries: 1 },
            ...Array.from({ length: 3 }, () => ({ media: 'ready', media_tries: 1 })),
          ]),
        soon,
      );
      expect(fake.fetched).toHaveLength(4);
    });

    it('for which there is no folder, count as an attempt', async () => {
      await mkdir(hub.recordingsDir, { recursive: true });
      await writeFile(join(hub.recordingsDir, 'sources'), 'a file');
      fake.events = [upstreamEvent({ start: now(), media })];
      await add();
      await vi.waitFor(
        async () => expect(await hub.rows('SELECT FROM source_event WHERE media_tries = 1')).toHaveLength(1),
        soon,
      );
    });

    it('that fail because of the disk, are retried later without counting', async () => {
      const event = upstreamEvent({ start: now(), media });
      fake.events = [event];
      fake.files.set(event.upstreamId, Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'write' }));
      await add();
      await vi.waitFor(
        async () =>
          expect(
            await hub.rows(`SELECT media_tries FROM source_event WHERE media_at > now() + interval '10 s'`),
          ).toEqual([{ media_tries: 0 }]),
        soon,
      );
    });

    it('of a recording that is deleted during the download, are removed', async () => {
      const event = upstreamEvent({ start: now(), media });
      fake.events = [event];
      fake.files.set(event.upstreamId, clip);
      fake.onFetch = async () => {
        const [video] = await videos();
        await hub.writer.remove(video?.id ?? 0, { role: 'admin', requestId: 'test' });
      };
      await add();
      await vi.waitFor(
        async () => expect(await hub.rows(`SELECT FROM source_event WHERE media = 'gone'`)).toHaveLength(1),
        soon,
      );
      expect(await count()).toBe(0);
      await expect
        .poll(() => readdir(hub.recordingsDir, { recursive: true }))
        .not.toContainEqual(expect.stringMatching(/clip\.mp4$|\.part$/));
    });

    it('whose length becomes known while the event is read again, have it read once more', async () => {
      const id = await add({ enabled: false });
      const store = new SourceEventStore(hub.database.pool);
      const start = now();
      const added = { upstreamId: 'one', start, end: start + 10_000, isOpen: false };
      await store.add(id, undefined, [{ ...added, cameraId: 'birdcam', videoPath: 'sources/clip.mp4' }]);
      const saveAsRead = async (read = store.find(id, ['one'])) => {
        const outcomes = (await read).map((event) => ({ ...event, rereadAt: null, mediaAt: null }));
        await store.save({ sourceId: id, outcomes, dropped: [], added: 0, cameras: [] });
        return (await store.findNextDue(id)).reread;
      };
      const before = await store.find(id, ['one']);
      await store.finishMedia(before[0]?.id ?? 0, 'ready', { start: start + 500, end: start + 3_500 });
      expect(await saveAsRead(Promise.resolve(before))).not.toBeNull();
      expect(await saveAsRead()).toBeNull();
    });

    it('that cannot be played, are not published', async () => {
      const event = upstreamEvent({ start: now(), media });
      const broken = join(folder, 'broken.mp4');
      await writeFile(broken, Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(2_000)]));
      fake.events = [event];
      fake.files.set(event.upstreamId, broken);
      await add();
      await vi.waitFor(
        async () => expect(await hub.rows('SELECT FROM source_event WHERE media_tries = 1')).toHaveLength(1),
        soon,
      );
      const files = await readdir(hub.recordingsDir, { recursive: true }).catch(() => []);
      expect(files.filter((name) => /\.(mp4|part)$/.test(name))).toEqual([]);
      fake.files.set(event.upstreamId, clip);
      await hub.rows('UPDATE source_event SET media_at = now()');
      await vi.waitFor(
        async () => expect(await hub.rows(`SELECT FROM source_event WHERE media = 'ready'`)).toHaveLength(1),
        soon,
      );
    });
  });

  describe('names', () => {
    it('that a person corrects, are written back if configured', async () => {
      const event = upstreamEvent({ start: now(), detections: [upstreamDetection({ trackId: 't1' })] });
      fake.events = [event];
      await add({ options: { write_back: true } });
      // Its outcome is noted after the recording is stored.
      await vi.waitFor(
        async () =>
          expect(await hub.rows('SELECT FROM source_event WHERE video_id IS NOT NULL')).toHaveLength(1),
        soon,
      );
      const [detection] = await hub.rows<{ id: number; video: number; species: number }>(
        'SELECT id, video_id AS video, species_id AS species FROM detection',
      );
      const [robin] = await hub.rows<{ id: number }>(`SELECT id FROM species WHERE name = 'Dunnock'`);
      fake.failure = new UpstreamError('permission', say('may_not_rename', { program: 'Frigate' }));
      await hub.publishCorrection({
        detection_ids: [detection?.id ?? 0],
        video_id: detection?.video ?? 0,
        media_kind: null,
        from_species_ids: [detection?.species ?? 0],
        to_species_id: robin?.id ?? 0,
        visit_ids: [],
        corrected_at: new Date().toISOString(),
      });
      await vi.waitFor(
        async () => expect(await hub.rows('SELECT FROM source_event WHERE write_tries > 0')).toHaveLength(1),
        soon,
      );
      fake.failure = undefined;
      await hub.rows('UPDATE source_event SET write_at = now()');
      await vi.waitFor(
        () =>
          expect(fake.writtenNames).toEqual([
            { upstreamId: event.upstreamId, name: 'Dunnock', trackId: 't1' },
          ]),
        soon,
      );
      await vi.waitFor(
        async () =>
          expect(await hub.rows('SELECT FROM source_event WHERE write_names IS NOT NULL')).toEqual([]),
        soon,
      );
    });
  });

  describe('history', () => {
    const history = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        upstreamEvent({ start: now() - 30 * 86_400_000 + index * 60_000, upstreamId: `old-${index}` }),
      );
    const start = async (id: number, given: object = {}) => {
      const response = await hub.send('POST', `${listed}/${id}/import`, { since: '2020-01-01', ...given });
      expect(response.status).toBe(202);
      return response.body.job_id as number;
    };
    const ended = (jobId: number, state: string) =>
      vi.waitFor(async () => expect((await jobState(jobId))?.state).toBe(state), soon);

    it('imported, is stored once, with a report', async () => {
      fake.page = ({ until: end }) => ({ events: [], dropped: [], cursor: end ?? 0, isLast: true });
      const id = await add();
      await vi.waitFor(() => expect(fake.readCount).toBeGreaterThan(0), soon);
      fake.page = undefined;
      fake.events = history(1_200);
      fake.dropped = [{ upstreamId: 'cat', at: undefined, reason: say('other', { text: 'It is a cat.' }) }];
      // Live reading starts after these events and stores none of them.
      await hub.rows('UPDATE source SET cursor = to_jsonb(1200), revision = revision + 1');
      const jobId = await start(id);
      await ended(jobId, 'done');
      expect((await jobState(jobId))?.result).toEqual({
        imported: 1_200,
        already_known: 0,
        reasons: [{ reason: 'It is a cat.', sentences: [say('other', { text: 'It is a cat.' })], count: 1 }],
      });
      expect(await count()).toBe(1_200);
      const again = await start(id);
      await ended(again, 'done');
      expect((await jobState(again))?.result).toMatchObject({ imported: 0, already_known: 1_200 });
      expect(await count()).toBe(1_200);
      // An event renamed upstream is stored again and still counts as known.
      const [first, ...others] = fake.events;
      const renamed = [upstreamDetection({ speciesName: 'Dunnock' })];
      fake.events = [{ ...first, detections: renamed } as (typeof fake.events)[number], ...others];
      const corrected = await start(id);
      await ended(corrected, 'done');
      expect((await jobState(corrected))?.result).toMatchObject({ imported: 0, already_known: 1_200 });
      expect((await videos()).filter(({ species }) => species === 'Dunnock')).toHaveLength(1);
      expect(await count()).toBe(1_200);
    });

    it('with a time span, is limited to it', async () => {
      const id = await add();
      fake.events = history(100);
      const first = fake.events[0]?.start ?? 0;
      const jobId = await start(id, {
        since: new Date(first + 10 * 60_000).toISOString(),
        until: new Date(first + 20 * 60_000).toISOString(),
      });
      await ended(jobId, 'done');
      expect((await jobState(jobId))?.result).toMatchObject({ imported: 10 });
    });

    it('with a failing upstream, fails with the reason', async () => {
      const id = await add();
      fake.failure = new UpstreamError('login', say('login_wrong', { program: 'Frigate' }));
      const jobId = await start(id);
      await ended(jobId, 'error');
      expect((await jobState(jobId))?.error).toBe('Frigate rejected the user name or password.');
    });

    it('of a deleted source, is cancelled', async () => {
      const id = await add();
      fake.events = history(100);
      fake.maxPage = 20;
      fake.onRead = ({ until: end }) =>
        end === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, 1_000));
      const jobId = await start(id);
      await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), soon);
      await hub.send('DELETE', `${listed}/${id}?data=remove`);
      await ended(jobId, 'cancelled');
      await until(0);
    });

    it('with an invalid span, is refused by field', async () => {
      const id = await add();
      const wrong: readonly (readonly [object, string])[] = [
        [{ since: 'yesterday' }, 'since'],
        [{ since: '2026-01-02', until: '2026-01-01' }, 'until'],
        [{}, 'since'],
        [{ since: '2026-01-01', media: 'some' }, 'media'],
      ];
      for (const [given, field] of wrong) {
        const response = await hub.send('POST', `${listed}/${id}/import`, given);
        expect([given, response.status]).toEqual([given, 400]);
        expect(JSON.stringify(response.body.details)).toContain(field);
      }
    });

    it('of a paused source, is refused', async () => {
      const id = await add({ enabled: false });
      const response = await hub.send('POST', `${listed}/${id}/import`, { since: '2026-01-01' });
      expect(response).toMatchObject({ status: 409, body: { code: 'source_paused' } });
    });
  });
});
