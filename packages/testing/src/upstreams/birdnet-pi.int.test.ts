import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, it } from 'vitest';
import { type BirdNetPi, startBirdNetPi } from './birdnet-pi.js';
import { createWhosAtMyFeeder } from './whosatmyfeeder.js';
import { startYaWamf, type YaWamf } from './ya-wamf.js';

describe('the BirdNET-Pi stand-in', () => {
  let pi: BirdNetPi;
  afterEach(() => pi.stop());

  const fileOf = (clip: string) => join(pi.clipFolder, 'By_Date', clip);
  const serve = (clip: string) =>
    fetch(`${pi.url}/By_Date/${clip.split('/').map(encodeURIComponent).join('/')}`);

  it('a bird, adds a row in local time and a clip in the folder of its day, which is served', async () => {
    pi = await startBirdNetPi({ timezone: 'Europe/Berlin', extension: 'mp3' });
    const bird = await pi.hear({
      at: Date.UTC(2026, 4, 1, 22, 30, 5, 900),
      commonName: "Cetti's Warbler",
      scientificName: 'Cettia cetti',
      rtsp: 2,
      seconds: 1,
    });
    expect(pi.list()).toMatchObject([
      {
        rowid: 1,
        Date: '2026-05-02',
        Time: '00:30:05',
        Com_Name: "Cetti's Warbler",
        Confidence: 0.87,
        File_Name: 'Cettis_Warbler-87-2026-05-02-birdnet-RTSP_2-00:30:05.mp3',
      },
    ]);
    expect(bird.clip).toBe(
      '2026-05-02/Cettis_Warbler/Cettis_Warbler-87-2026-05-02-birdnet-RTSP_2-00:30:05.mp3',
    );
    const served = await serve(bird.clip);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect((await served.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    expect((await serve(`${bird.clip}.png`)).headers.get('content-type')).toBe('image/png');
  });

  it('in the repeated hour of a clock change, shows the same time twice', async () => {
    pi = await startBirdNetPi({ timezone: 'Europe/Berlin' });
    for (const hour of [0, 1]) await pi.hear({ at: Date.UTC(2026, 9, 25, hour, 30), hasClip: false });
    expect(pi.list().map(({ Time }) => Time)).toEqual(['02:30:00', '02:30:00']);
  });

  it('a renamed bird, has the new name in its row, its file and its folder', async () => {
    pi = await startBirdNetPi();
    const bird = await pi.hear({ at: Date.UTC(2026, 4, 1, 8), seconds: 1 });
    bird.changeName('Cyanistes caeruleus', 'Blue Tit', 0);
    const clip = '2026-05-01/Blue_Tit/Blue_Tit-87-2026-05-01-birdnet-08:00:00.mp3';
    expect(pi.list()).toMatchObject([
      { rowid: bird.rowid, Com_Name: 'Blue Tit', Confidence: 0, File_Name: clip.split('/').at(-1) },
    ]);
    expect([existsSync(fileOf(bird.clip)), existsSync(fileOf(clip))]).toEqual([false, true]);
  });

  it('a purge, removes the file only; a deletion also the row', async () => {
    pi = await startBirdNetPi();
    const bird = await pi.hear({ at: Date.UTC(2026, 4, 1, 8), seconds: 1 });
    bird.purge();
    expect((await serve(bird.clip)).status).toBe(404);
    expect(pi.list()).toHaveLength(1);
    bird.delete();
    expect(pi.list()).toEqual([]);
  });

  it('a path that leads out of the folder, is not served', async () => {
    pi = await startBirdNetPi();
    expect((await fetch(`${pi.url}/..%2f..%2f..%2fetc%2fpasswd`)).status).toBe(404);
  });

  it('a restored backup, has the same rows with other ids', async () => {
    pi = await startBirdNetPi();
    pi.hearMany([8, 9, 10].map((hour) => ({ at: Date.UTC(2026, 4, 1, hour) })));
    pi.restoreBackup();
    expect(pi.list().map(({ rowid, Time }) => [rowid, Time])).toEqual([
      [1, '10:00:00'],
      [2, '09:00:00'],
      [3, '08:00:00'],
    ]);
  });
});

describe('the YA-WAMF stand-in', () => {
  let wamf: YaWamf;
  afterEach(() => wamf.stop());

  it('after a login, returns rows page by page, with times without a zone, and clips', async () => {
    const login = { username: 'owner', password: 'secret123' };
    wamf = await startYaWamf({ login });
    for (let hour = 0; hour < 5; hour += 1)
      wamf.see({ at: Date.UTC(2026, 4, 1, hour), isHidden: hour === 4 });
    expect((await fetch(`${wamf.url}/api/events`)).status).toBe(401);
    const body = JSON.stringify(login);
    const response = await fetch(`${wamf.url}/api/auth/login`, { method: 'POST', body });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const get = (path: string) =>
      fetch(`${wamf.url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const read = async (path: string) => (await (await get(path)).json()) as Record<string, string>[];
    const times = (rows: readonly Record<string, string>[]) =>
      rows.map(({ detection_time }) => detection_time);
    expect(times(await read('events?sort=oldest&limit=2&offset=1'))).toEqual([
      '2026-05-01T01:00:00.000',
      '2026-05-01T02:00:00.000',
    ]);
    expect(await read('events?include_hidden=true')).toHaveLength(5);
    expect((await get('events?limit=501')).status).toBe(422);
    const [first] = await read('events?limit=1');
    expect((await get(`frigate/${first?.['frigate_event']}/clip.mp4`)).headers.get('content-type')).toBe(
      'video/mp4',
    );
    expect((await get('frigate/nothing/clip.mp4')).status).toBe(404);
  });
});

describe('the WhosAtMyFeeder stand-in', () => {
  it('rows, can be read by others from its database', () => {
    const feeder = createWhosAtMyFeeder();
    try {
      feeder.add([{ detectionTime: '2026-05-01 08:00:03.250000', frigateEvent: '1777622403.25-abcdef' }]);
      const database = new Database(feeder.databaseFile, { readonly: true });
      expect(
        database.prepare('SELECT display_name, frigate_event, camera_name FROM detections').all(),
      ).toEqual([
        { display_name: 'Parus major', frigate_event: '1777622403.25-abcdef', camera_name: 'birdcam' },
      ]);
      database.close();
    } finally {
      feeder.remove();
    }
  });
});
