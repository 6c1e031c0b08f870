import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aDetection, aRecording } from '@birdhub/testing';
import { Ajv } from 'ajv';
import exifr from 'exifr';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { findCamtrapViolations } from '../testing/camtrap-rules.js';
import { makeClip } from '../testing/clips.js';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { readCsv } from '../testing/read-csv.js';
import { readZip } from '../testing/read-zip.js';

const beside = new URL('../../../../../shared/data/', import.meta.url);
const hasStandards = existsSync(new URL('camtrap-dp', beside));
const minute = 60_000;
const day = 86_400_000;
const start = Date.UTC(2026, 4, 1, 8);

const frame = (t: number, bbox: [number, number, number, number]) => ({ t, bbox });
const science = {
  title: 'Birds of "Elm", a garden',
  contact_name: "Ada, O'Neill",
  contact_email: 'ada@example.org',
  habitat: 'garden\nwith elms',
  coordinate_digits: 2,
};
const place = {
  secrets: { latitude: '51.50741', longitude: '-0.12782' },
  ebird: { country: 'GB', location_name: 'Elm <Street> & Co' },
};

describe('an export for science', () => {
  let reports: TestReports;
  const fetchExport = async (query: string, headers: object = { 'x-hub-caller': 'contributor' }) =>
    reports.app.inject({ url: `/api/ui/timeline/export?${query}`, headers: { ...headers } });
  const files = async (query: string) => readZip((await fetchExport(query)).rawPayload);
  const table = (archive: ReadonlyMap<string, Buffer>, name: string) =>
    readCsv(archive.get(name)?.toString() ?? '');
  const whole = 'start_time=2026-04-30T00:00:00Z&end_time=2026-06-30T00:00:00Z';

  beforeAll(async () => {
    reports = await createTestReports();
    const { writer, database } = reports;
    await reports.setSettings({
      ...place,
      science,
      video: { cameras: [{ id: 'garden', name: 'Garden, "left"' }] },
      ui: { unknown_confidence_threshold: 0.5 },
    });
    const post = (given: Parameters<typeof aRecording>[0]) => writer.post(aRecording(given), 'test');
    const tit = aDetection({
      trackId: 'a',
      startOffset: 1.25,
      endOffset: 4.75,
      frames: [
        frame(1.5, [0.1, 0.2, 0.3, 0.4]),
        frame(2, [0.5, 0.5, 1.2, 1.1]),
        frame(3, [0.9, 0.9, 0.9, 0.95]),
      ],
    });
    // A visit that continues in a second recording and at a second camera.
    await post({ start, detections: [tit, aDetection({ trackId: 'b', startOffset: 2, endOffset: 3 })] });
    await post({ start: start + 20_000, detections: [aDetection()] });
    await post({ start: start + 25_000, cameraId: 'balcony, "2"', detections: [aDetection()] });
    await post({
      start: start + 10 * minute,
      detections: [aDetection({ confidence: 0.2, speciesName: 'European Robin' })],
    });
    await post({
      start: start + 20 * minute,
      detections: [aDetection({ speciesName: 'Bird' }), aDetection({ speciesName: 'Unknown' })],
    });
    await post({ start: start + 30 * minute, detections: [aDetection({ speciesName: 'My, "odd" bird' })] });
    await post({
      start: start + 40 * minute,
      detections: [aDetection({ speciesName: 'Squirrel' }), aDetection({ speciesName: 'Human' })],
    });
    await post({ start: start + 50 * minute, detections: [] });
    await post({
      start: start + 60 * minute,
      videoPath: 'sound/1.WAV',
      detections: [aDetection({ source: 'audio', speciesName: 'House Finch (Male)' })],
    });
    await post({ start: start + 9 * day, detections: [aDetection()] });
    await post({
      start: start + 100 * day,
      hasFile: false,
      detections: [aDetection({ source: 'audio' })],
    });
    await database.pool.query(`INSERT INTO bird_food (name) VALUES ('sunflower, | hearts')`);
    await database.pool.query(
      `INSERT INTO food_period (food_id, started_at) SELECT id, $1 FROM bird_food WHERE name LIKE 'sunflower, |%'`,
      [new Date(start + 5 * day)],
    );
    await database.pool.query(
      `UPDATE video SET media = 'ready', note = E'a "note",\nof two lines' WHERE start_time = $1`,
      [new Date(start)],
    );
    await database.pool.query(`UPDATE video SET media = 'ready' WHERE video_path LIKE '%sound/1.WAV'`);
    for (const name of [`${new Date(start).toISOString()}.mp4`, 'sound/1.WAV']) {
      const file = join(reports.dataDir, 'recordings', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'the film');
    }
  });
  afterAll(() => reports.close());

  it.each(['none', 'links', 'files'])(
    'as Camtrap DP with media=%s, is valid by the standard',
    async (media) => {
      expect(findCamtrapViolations(await files(`format=camtrap-dp&media=${media}&${whole}`))).toEqual([]);
    },
  );

  it('as Camtrap DP, has a deployment for each camera and period without a week of silence', async () => {
    const rows = table(await files(`format=camtrap-dp&${whole}`), 'deployments.csv');
    expect(
      rows.map((row) => [
        row['cameraID'],
        row['locationName'],
        row['deploymentStart'],
        row['deploymentEnd'],
        row['deploymentTags'],
      ]),
    ).toEqual([
      ['balcony, "2"', 'balcony, "2"', '2026-05-01T08:00:25Z', '2026-05-01T08:00:35Z', ''],
      ['garden', 'Garden, "left"', '2026-05-01T08:00:00Z', '2026-05-01T09:00:10Z', ''],
      [
        'garden',
        'Garden, "left"',
        '2026-05-10T08:00:00Z',
        '2026-05-10T08:00:10Z',
        'food:sunflower, / hearts',
      ],
    ]);
    expect(rows[0]).toMatchObject({
      latitude: '51.51',
      longitude: '-0.13',
      baitUse: 'true',
      habitat: 'garden\nwith elms',
    });
    expect(Number(rows[0]?.['coordinateUncertainty'])).toBeGreaterThan(600);
  });

  it('as Camtrap DP, has an event for each visit and camera from the start of its first recording', async () => {
    const rows = table(await files(`format=camtrap-dp&${whole}`), 'observations.csv');
    const events = rows.filter(
      (row) => row['observationLevel'] === 'event' && row['scientificName'] === 'Parus major',
    );
    expect(
      events.map((row) => [row['deploymentID'], row['eventStart'], row['eventEnd'], row['count']]).sort(),
    ).toEqual([
      ['balcony, "2":2026-05-01', '2026-05-01T08:00:25Z', '2026-05-01T08:00:27Z', '2'],
      ['garden:2026-05-01', '2026-05-01T08:00:00Z', '2026-05-01T08:00:22Z', '2'],
      ['garden:2026-05-10', '2026-05-10T08:00:00Z', '2026-05-10T08:00:02Z', '1'],
    ]);
    expect(new Set(events.map((row) => row['eventID'])).size).toBe(2);
  });

  it('as Camtrap DP, marks what is doubtful, generic, blank and heard', async () => {
    const rows = table(await files(`format=camtrap-dp&${whole}`), 'observations.csv');
    const media = rows.filter((row) => row['observationLevel'] === 'media');
    const said = media.map((row) => [
      row['eventStart'],
      row['observationType'],
      row['scientificName'],
      row['observationTags'] || row['observationComments'] || row['sex'] || row['behavior'],
    ]);
    expect(said.filter(([, type, name]) => type !== 'animal' || name !== 'Parus major')).toEqual([
      ['2026-05-01T08:10:00Z', 'unclassified', '', 'proposed:Erithacus rubecula'],
      ['2026-05-01T08:20:00Z', 'animal', 'Aves', 'reported as Bird'],
      ['2026-05-01T08:20:00Z', 'unknown', '', ''],
      ['2026-05-01T08:30:00Z', 'animal', 'Aves', 'reported as My, "odd" bird'],
      ['2026-05-01T08:40:00Z', 'animal', expect.stringMatching(/^(Animalia|Sciur.*)$/), expect.anything()],
      ['2026-05-01T08:40:00Z', 'human', 'Homo sapiens', ''],
      ['2026-05-01T08:50:00Z', 'blank', '', ''],
      ['2026-05-01T09:00:00Z', 'animal', 'Haemorhous mexicanus', 'male'],
    ]);
    expect(media.at(-1)).toBeDefined();
  });

  it('as Camtrap DP, has the largest box within the picture', async () => {
    const rows = table(await files(`format=camtrap-dp&${whole}`), 'observations.csv');
    const boxed = rows.filter((row) => row['bboxX'] !== '');
    expect(
      boxed.map((row) => ['bboxX', 'bboxY', 'bboxWidth', 'bboxHeight'].map((key) => Number(row[key]))),
    ).toEqual([[0.5, 0.5, 0.5, 0.5]]);
  });

  it('with media as files, contains the file of each recording that has one', async () => {
    const archive = await files(`format=camtrap-dp&media=files&${whole}`);
    const there = table(archive, 'media.csv').filter((row) => row['filePublic'] === 'true');
    expect(
      there.map((row) => [archive.get(row['filePath'] ?? '')?.toString(), row['mediaComments']]),
    ).toEqual([
      ['the film', 'a "note",\nof two lines'],
      ['the film', ''],
    ]);
  });

  it('with media as links, has URLs of the hub, public unless recordings are protected', async () => {
    const [row] = table(await files(`format=camtrap-dp&${whole}`), 'media.csv').filter(
      (one) => one['filePublic'] === 'true',
    );
    expect(row?.['filePath']).toMatch(/^http:\/\/localhost(:80)?\/api\/ui\/videos\/\d+\/stream$/);
  });

  it('of one camera, has no data of another', async () => {
    const archive = await files(`format=camtrap-dp&camera_id=garden&${whole}`);
    expect(findCamtrapViolations(archive)).toEqual([]);
    expect([...archive.values()].join('')).not.toContain('balcony');
  });

  it('of one species, has the observations of its visits only', async () => {
    const { rows } = await reports.database.pool.query(
      `SELECT id FROM species WHERE name = 'European Robin'`,
    );
    const archive = await files(`format=camtrap-dp&species_id=${rows[0].id}&${whole}`);
    expect(findCamtrapViolations(archive)).toEqual([]);
    expect(table(archive, 'observations.csv').map((row) => row['observationTags'])).toEqual(
      Array(2).fill('proposed:Erithacus rubecula'),
    );
  });

  it('of any two adjacent windows, has each recording once', async () => {
    const idsOf = (archive: ReadonlyMap<string, Buffer>) =>
      table(archive, 'media.csv').map((row) => Number(row['mediaID']));
    const all = idsOf(await files(`format=camtrap-dp&${whole}`)).sort((a, b) => a - b);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 * 60 }), async (seconds) => {
        const cut = new Date(start + seconds * 1_000).toISOString();
        const parts = [
          `start_time=2026-04-30T00:00:00Z&end_time=${cut}`,
          `start_time=${cut}&end_time=2026-06-30T00:00:00Z`,
        ];
        const both = await Promise.all(parts.map((part) => files(`format=camtrap-dp&${part}`)));
        for (const archive of both) expect(findCamtrapViolations(archive)).toEqual([]);
        expect(both.flatMap(idsOf).sort((a, b) => a - b)).toEqual(all);
      }),
      { numRuns: 4 },
    );
  });

  it('as Darwin Core, has an occurrence for each certain visit of an animal, and its media', async () => {
    const archive = await files(`format=dwca&${whole}`);
    const occurrences = table(archive, 'occurrence.csv');
    expect(occurrences.filter((row) => row['scientificName'] === 'Parus major')).toHaveLength(3);
    expect(occurrences.map((row) => row['scientificName'])).not.toContain('Erithacus rubecula');
    expect(occurrences.map((row) => row['scientificName'])).not.toContain('Homo sapiens');
    expect(
      occurrences.every(
        (row) => row['basisOfRecord'] === 'MachineObservation' && row['occurrenceStatus'] === 'present',
      ),
    ).toBe(true);
    const ids = new Set(occurrences.map((row) => row['occurrenceID']));
    expect(ids.size).toBe(occurrences.length);
    const media = table(archive, 'multimedia.csv');
    expect(media.map((row) => row['type'])).toEqual(['MovingImage', 'Sound']);
    expect(media.filter((row) => !ids.has(row['occurrenceID'] ?? ''))).toEqual([]);
  });

  it('as Darwin Core with media as files, names exactly the files of the archive', async () => {
    const archive = await files(`format=dwca&media=files&${whole}`);
    const named = table(archive, 'multimedia.csv').map((row) => row['accessURI']);
    expect(named).toHaveLength(2);
    expect(named).toEqual([...archive.keys()].filter((name) => name.startsWith('media/')));
  });

  it.each(['species_id=5', 'source=audio', 'hour=8', 'favorite=true'])(
    'as Darwin Core by day with the filter %s, is refused and names it',
    async (filter) => {
      const response = await fetchExport(`format=dwca&core=event&${whole}&${filter}`);
      const [path] = filter.split('=');
      expect([response.statusCode, response.json()]).toMatchObject([
        400,
        { code: 'invalid_request', details: [{ path }] },
      ]);
      expect((await fetchExport(`format=dwca&${whole}&${filter}`)).statusCode).toBe(200);
    },
  );

  it('as Darwin Core by day of one camera, has only its days, and states what is listed', async () => {
    const archive = await files(`format=dwca&core=event&camera_id=balcony%2C%20%222%22&${whole}`);
    expect(table(archive, 'event.csv').map((row) => row['samplingEffort'])).toEqual([
      expect.stringMatching(/hours of watching; every certain identification is listed$/),
    ]);
  });

  it('as Darwin Core by day, has the hours of operation, and the day of each occurrence', async () => {
    const { pool } = reports.database;
    await pool.query(`INSERT INTO processor_uptime (started_at, ended_at) VALUES ($1, $2)`, [
      new Date(start + 2 * day),
      new Date(start + 2 * day + 90 * minute),
    ]);
    const archive = await files(`format=dwca&core=event&${whole}`);
    const events = table(archive, 'event.csv');
    expect(events.map((row) => [row['eventID'], row['sampleSizeValue'], row['sampleSizeUnit']])).toEqual([
      ['2026-05-01', '0.0236', 'hour'],
      ['2026-05-03', '1.5', 'hour'],
      ['2026-05-10', '0.0028', 'hour'],
    ]);
    const days = new Set(events.map((row) => row['eventID']));
    const occurrences = table(archive, 'occurrence.csv');
    expect(occurrences.map((row) => row['eventID']).filter((id) => !days.has(id))).toEqual([]);
  });

  it('as Darwin Core by day of one camera, has hours of detectors only between its recordings', async () => {
    const { pool } = reports.database;
    const uptime = [new Date(start - 60 * minute), new Date(start + 60 * minute)];
    await pool.query(`INSERT INTO processor_uptime (started_at, ended_at) VALUES ($1, $2)`, uptime);
    const hoursOf = async (camera: string) => {
      const archive = await files(`format=dwca&core=event&camera_id=${encodeURIComponent(camera)}&${whole}`);
      return table(archive, 'event.csv').map((row) => [row['eventID'], row['sampleSizeValue']]);
    };
    try {
      expect(await hoursOf('balcony, "2"')).toEqual([['2026-05-01', '0.0028']]);
      expect(await hoursOf('garden')).toEqual([
        ['2026-05-01', '1.0028'],
        ['2026-05-10', '0.0028'],
      ]);
    } finally {
      await pool.query(`DELETE FROM processor_uptime WHERE started_at = $1`, [uptime[0]]);
    }
  });

  it('as Darwin Core by day of sound only, names the audio recorder as its protocol', async () => {
    const hour = `start_time=2026-05-01T09:00:00Z&end_time=2026-05-01T09:30:00Z`;
    const hourWithoutFile = `start_time=2026-08-09T08:00:00Z&end_time=2026-08-09T09:00:00Z`;
    const protocolsOf = async (window: string) =>
      table(await files(`format=dwca&core=event&${window}`), 'event.csv').map(
        (row) => row['samplingProtocol'],
      );
    expect(await protocolsOf(hour)).toEqual(['audio recorder']);
    expect(await protocolsOf(hourWithoutFile)).toEqual(['audio recorder']);
    expect(new Set(await protocolsOf(whole))).toEqual(new Set(['camera trap']));
  });

  it.each([
    ['occurrence', 'multimedia'],
    ['event', 'occurrence'],
  ])(
    'as Darwin Core with the core %s, names each column of its tables in order in meta.xml',
    async (core, extension) => {
      const archive = await files(`format=dwca&core=${core}&${whole}`);
      const meta = archive.get('meta.xml')?.toString() ?? '';
      for (const name of [core, extension]) {
        const part =
          new RegExp(`<location>${name}\\.csv</location>[\\s\\S]*?</(core|extension)>`).exec(meta)?.[0] ?? '';
        const indexes = [...part.matchAll(/<field index="(\d+)" term="[^"]*\/(\w+)"/g)].map(
          ([, index, term]) => [Number(index), term],
        );
        const header = archive.get(`${name}.csv`)?.toString().split('\r\n', 1)[0]?.split(',') ?? [];
        expect(indexes).toEqual(header.map((column, index) => [index, column]).slice(name === core ? 0 : 1));
      }
    },
  );

  it('with any settings, has a well-formed eml.xml', async () => {
    const archive = await files(`format=dwca&${whole}`);
    const eml = archive.get('eml.xml')?.toString() ?? '';
    const { valid, errors } = await validateXML({
      xml: [{ fileName: 'eml.xml', contents: eml }],
      schema: [{ fileName: 'any.xsd', contents: anyEml }],
    });
    expect([valid, errors]).toEqual([true, []]);
    expect(eml).toContain('Elm &lt;Street&gt; &amp; Co');
    expect(eml).toContain("<surName>Ada, O'Neill</surName>");
  });

  it('without a place, is refused as location_missing', async () => {
    await reports.setSettings({ science });
    const response = await fetchExport(`format=camtrap-dp&${whole}`);
    expect([response.statusCode, response.json().code]).toEqual([409, 'location_missing']);
    await reports.setSettings({ ...place, science });
  });

  it('without a recording, is refused', async () => {
    const response = await fetchExport('format=dwca&date=2020-01-01');
    expect([response.statusCode, response.json().code]).toEqual([404, 'dataset_empty']);
  });

  it('for a viewer of a locked hub, is refused', async () => {
    const response = await fetchExport(`format=camtrap-dp&${whole}`, { 'x-hub-caller': 'viewer' });
    expect([response.statusCode, response.json().code]).toEqual([403, 'unlock_required']);
  });

  it('in its preview, counts the contents of the archives and names what is left out', async () => {
    const { json } = await reports.app.inject({ url: `/api/ui/timeline/export/preview?${whole}` });
    const archive = await files(`format=camtrap-dp&${whole}`);
    const occurrences = table(await files(`format=dwca&${whole}`), 'occurrence.csv');
    expect(json()).toEqual({
      deployments: table(archive, 'deployments.csv').length,
      recordings: table(archive, 'media.csv').length,
      events: table(archive, 'observations.csv').filter((row) => row['observationLevel'] === 'event').length,
      occurrences: occurrences.length,
      species: new Set(occurrences.map((row) => row['scientificName'])).size,
      reviewed: 0,
      files: 2,
      bytes: expect.any(Number),
      observations: 3,
      pictures: 1,
      left_out: [
        { reason: 'doubtful', count: 1 },
        { reason: 'unnamed', count: expect.any(Number) },
        { reason: 'not_animal', count: 2 },
        { reason: 'file_gone', count: 8 },
      ],
      missing: ['description', 'camera_names'],
    });
  });

  describe('of forms, deleted files and a clock change', () => {
    const autumn = 'start_time=2026-10-24T22:00:00Z&end_time=2026-10-25T23:00:00Z';
    const night = Date.UTC(2026, 9, 25, 0, 30);

    beforeAll(async () => {
      const { writer, database, dataDir } = reports;
      const post = (given: Parameters<typeof aRecording>[0]) => writer.post(aRecording(given), 'test');
      const names = ['Feral Pigeon', 'Myrtle Warbler', 'Cat', '=1+1', 'Mallard x Gadwall'];
      for (const [at, speciesName] of names.entries())
        await post({
          start: night + at * 10 * minute,
          cameraId: '=HYPERLINK("x")',
          videoPath: `autumn-${at}.mp4`,
          detections: [aDetection({ speciesName })],
        });
      await database.pool.query(
        `UPDATE species SET scientific_name = 'Anas platyrhynchos x strepera' WHERE name = 'Mallard x Gadwall'`,
      );
      await database.pool.query(
        `UPDATE video SET media = 'ready', note = '=cmd|1' WHERE video_path LIKE 'autumn-%'`,
      );
      await database.pool.query(`UPDATE video SET media = 'purged' WHERE video_path = 'autumn-1.mp4'`);
      await writeFile(join(dataDir, 'recordings', 'autumn-0.mp4'), 'a pigeon');
      await database.pool.query(`INSERT INTO processor_uptime (started_at, ended_at) VALUES ($1, $2)`, [
        new Date(night - 4 * 60 * minute),
        new Date(night + 30 * 60 * minute),
      ]);
      await reports.setSettings({ ...place, science, general: { timezone: 'Europe/Berlin' } });
    });
    afterAll(() => reports.setSettings({ ...place, science, ui: { unknown_confidence_threshold: 0.5 } }));

    it('as Camtrap DP, has the species or subspecies of a form, and no rank for a hybrid', async () => {
      const archive = await files(`format=camtrap-dp&${autumn}`);
      expect(findCamtrapViolations(archive)).toEqual([]);
      const rows = table(archive, 'observations.csv').filter((row) => row['observationLevel'] === 'event');
      expect(rows.map((row) => [row['scientificName'], row['observationComments']])).toEqual([
        ['Columba livia', 'reported as Feral Pigeon'],
        ['Setophaga coronata coronata', ''],
        ['Felis catus', ''],
        ['Aves', 'reported as =1+1'],
        ['Anas platyrhynchos x strepera', ''],
      ]);
      const { taxonomic } = JSON.parse(archive.get('datapackage.json')?.toString() ?? '');
      expect(taxonomic).toEqual([
        { scientificName: 'Anas platyrhynchos x strepera', vernacularNames: { eng: 'Mallard x Gadwall' } },
        { scientificName: 'Aves', taxonRank: 'class' },
        {
          scientificName: 'Columba livia',
          taxonRank: 'species',
          family: 'Columbidae',
          vernacularNames: {
            eng: 'Rock Pigeon',
            deu: 'Felsentaube',
            fra: 'Pigeon biset',
            spa: 'Paloma bravía',
            ita: 'Piccione selvatico',
            nld: 'Rotsduif',
            pol: 'Gołąb skalny',
            rus: expect.any(String),
          },
        },
        expect.objectContaining({ scientificName: 'Felis catus', taxonRank: 'species' }),
        expect.objectContaining({
          scientificName: 'Setophaga coronata coronata',
          taxonRank: 'subspecies',
          family: 'Parulidae',
        }),
      ]);
    });

    it('with media as files, one missing and one deleted, is still a valid package', async () => {
      const archive = await files(`format=camtrap-dp&media=files&${autumn}`);
      expect(findCamtrapViolations(archive)).toEqual([]);
      expect([...archive.keys()].filter((name) => name.startsWith('media/'))).toHaveLength(1);
      const rows = table(archive, 'media.csv');
      expect(rows.map((row) => row['filePublic'])).toEqual(['true', 'false', 'true', 'true', 'true']);
      expect(new Set(rows.map((row) => row['mediaComments']))).toEqual(new Set(["'=cmd|1"]));
    });

    it('in any format, has no cell that a spreadsheet takes for a formula', async () => {
      const archives = await Promise.all(
        ['camtrap-dp', 'dwca', 'dwca&core=event'].map((format) => files(`format=${format}&${autumn}`)),
      );
      const cells = archives.flatMap((archive) =>
        [...archive.keys()]
          .filter((name) => name.endsWith('.csv'))
          .flatMap((name) =>
            readCsv(archive.get(name)?.toString() ?? '').flatMap((row) => Object.values(row)),
          ),
      );
      expect(cells.length).toBeGreaterThan(100);
      expect(cells.filter((text) => /^[=+@-]/.test(text) && Number.isNaN(Number(text)))).toEqual([]);
    });

    it('as Darwin Core, names no deleted file, and has the effort of the deployment', async () => {
      const archive = await files(`format=dwca&${autumn}`);
      expect(table(archive, 'multimedia.csv')).toHaveLength(4);
      const [pigeon] = table(archive, 'occurrence.csv').filter(
        (row) => row['vernacularName'] === 'Feral Pigeon',
      );
      expect(pigeon).toMatchObject({
        scientificName: 'Columba livia',
        taxonRank: 'species',
        samplingEffort: '2026-10-25T00:30:00Z/2026-10-25T01:10:10Z',
      });
    });

    it('around local midnights of a week with a clock change, has the same days in all formats', async () => {
      const { writer } = reports;
      // The offset of Berlin changes on 29 March at 01:00 UTC.
      const moments = ['27T22:58', '27T23:02', '28T22:58', '28T23:02', '29T21:58', '29T22:02'];
      for (const moment of moments)
        await writer.post(aRecording({ start: Date.parse(`2026-03-${moment}Z`) }), 'test');
      const week = 'start_time=2026-03-26T23:00:00Z&end_time=2026-04-01T22:00:00Z';
      const occurrences = table(await files(`format=dwca&core=event&${week}`), 'occurrence.csv');
      const days = ['2026-03-27', '2026-03-28', '2026-03-28', '2026-03-29', '2026-03-29', '2026-03-30'];
      expect(occurrences.map((row) => row['eventID']).sort()).toEqual(days);
      const { json } = await reports.app.inject({ url: `/api/ui/timeline/export/preview?${week}` });
      expect(json()).toMatchObject({ observations: new Set(days).size });
    });

    it('as Darwin Core of the day with 25 hours, has these, and of a part of it only its hours', async () => {
      const hours = async (query: string) =>
        table(await files(`format=dwca&core=event&${query}`), 'event.csv').map(
          (row) => row['sampleSizeValue'],
        );
      expect(await hours(autumn)).toEqual(['25']);
      expect(await hours('start_time=2026-10-25T00:00:00Z&end_time=2026-10-25T02:00:00Z')).toEqual(['2']);
    });
  });

  describe('for a portal', () => {
    const spring = 'start_time=2026-04-09T22:00:00Z&end_time=2026-04-11T22:00:00Z';
    const noon = Date.UTC(2026, 3, 10, 10);

    beforeAll(async () => {
      const { writer, database, dataDir } = reports;
      const post = (given: Parameters<typeof aRecording>[0]) => writer.post(aRecording(given), 'test');
      const boxed = { frames: [frame(1, [0.25, 0.25, 0.75, 0.75])] };
      await makeClip(join(dataDir, 'recordings', 'spring.mp4'), 'color=red:s=320x240:r=10:d=4');
      await post({ start: noon, videoPath: 'spring.mp4', detections: [aDetection(boxed)] });
      // The same species later that day is in the same row; on the next day, without a file, in another one.
      await post({
        start: noon + 60 * minute,
        detections: [aDetection({ trackId: 'a' }), aDetection({ trackId: 'b' })],
      });
      await post({ start: noon + day, videoPath: 'gone.mp4' });
      await post({
        start: noon + 90 * minute,
        videoPath: 'spring.wav',
        detections: [aDetection({ source: 'audio', speciesName: 'Tawny Owl' })],
      });
      await post({
        start: noon + 120 * minute,
        detections: [
          aDetection({ confidence: 0.2, speciesName: 'European Robin' }),
          aDetection({ speciesName: 'Bird' }),
          aDetection({ speciesName: 'Human' }),
          aDetection({ speciesName: 'My, "odd" bird' }),
        ],
      });
      await database.pool.query(
        `UPDATE video SET media = 'ready' WHERE video_path IN ('spring.mp4', 'gone.mp4', 'spring.wav')`,
      );
      await reports.setSettings({
        ...place,
        science,
        general: { timezone: 'Europe/Berlin' },
        ui: { unknown_confidence_threshold: 0.5 },
      });
    });

    it('to iNaturalist, has a row and a picture for each species of a day that a picture shows', async () => {
      const archive = await files(`format=inaturalist&${spring}`);
      expect(table(archive, 'observations.csv')).toEqual([
        {
          'Taxon name': 'Parus major',
          'Date observed': '2026-04-10 12:00',
          Description: expect.stringMatching(
            /^Recorded by a camera at a feeder; 2 at most at once, 2 visits that day\. Identified by .* with 90% certainty\. Picture: Parus major_2026-04-10_120000_\d+\.jpg$/,
          ),
          'Place name': 'Elm <Street> & Co',
          Latitude: '51.51',
          Longitude: '-0.13',
          Tags: 'feeder,camera trap',
          Geoprivacy: 'open',
        },
      ]);
      const pictures = [...archive.keys()].filter((name) => name.endsWith('.jpg'));
      expect(pictures).toEqual([expect.stringMatching(/^pictures\/Parus major_2026-04-10_120000_\d+\.jpg$/)]);
      const said = await exifr.parse(archive.get(pictures[0] ?? '') ?? '', { xmp: true, iptc: true });
      expect(said).toMatchObject({
        latitude: expect.closeTo(51.51, 6),
        longitude: expect.closeTo(-0.13, 6),
        OffsetTimeOriginal: '+02:00',
        ObjectName: 'Parus major',
        subject: ['Parus major', 'Great Tit'],
      });
    });

    it('to observation.org, also has what was heard and what has no picture', async () => {
      const rows = table(await files(`format=observation-org&${spring}`), 'observations.csv');
      expect(
        rows.map((row) => [row['scientific name'], row['date'], row['time'], row['number'], row['method']]),
      ).toEqual([
        ['Parus major', '2026-04-10', '12:00', '2', 'camera trap'],
        ['Strix aluco', '2026-04-10', '13:30', '1', 'sound recording'],
        ['Parus major', '2026-04-11', '12:00', '1', 'camera trap'],
      ]);
      expect(rows.map((row) => row['picture'] !== '')).toEqual([true, false, false]);
      expect(rows[0]).toMatchObject({ lat: '51.51', lng: '-0.13', location: 'Elm <Street> & Co' });
    });

    it('after a species was moved to the noises, has it as no animal and no occurrence', async () => {
      const { pool } = reports.database;
      const move = (group: string) =>
        pool.query(`UPDATE species SET species_group = $1 WHERE name = 'Tawny Owl'`, [group]);
      await move('noise');
      const archive = await files(`format=camtrap-dp&${spring}`);
      expect(findCamtrapViolations(archive)).toEqual([]);
      const ofNoise = table(archive, 'observations.csv').filter(
        (row) => row['observationLevel'] === 'media' && row['eventStart'] === '2026-04-10T11:30:00Z',
      );
      expect(
        ofNoise.map((row) => [row['observationType'], row['scientificName'], row['observationComments']]),
      ).toEqual([['unknown', '', 'reported as Tawny Owl']]);
      const occurrences = table(await files(`format=dwca&${spring}`), 'occurrence.csv');
      expect(occurrences.map((row) => row['vernacularName'])).not.toContain('Tawny Owl');
      await move('bird');
    });

    it('with a name that a spreadsheet would take for a formula, neutralises it', async () => {
      const { pool } = reports.database;
      await pool.query(`UPDATE species SET scientific_name = '=1+1' WHERE name = 'Tawny Owl'`);
      const rows = table(await files(`format=observation-org&${spring}`), 'observations.csv');
      expect(rows[1]?.['scientific name']).toBe("'=1+1");
      await pool.query(`UPDATE species SET scientific_name = 'Strix aluco' WHERE name = 'Tawny Owl'`);
    });

    it.each([
      ['camtrap-dp', 'observations.csv'],
      ['dwca', 'occurrence.csv'],
      ['dwca&core=event', 'occurrence.csv'],
    ])('as %s, with such a scientific name, neutralises it', async (format, file) => {
      const { pool } = reports.database;
      await pool.query(`UPDATE species SET scientific_name = '=1+1' WHERE name = 'Tawny Owl'`);
      const names = table(await files(`format=${format}&${spring}`), file).map(
        (row) => row['scientificName'],
      );
      await pool.query(`UPDATE species SET scientific_name = 'Strix aluco' WHERE name = 'Tawny Owl'`);
      expect(names).toContain("'=1+1");
      expect(names).not.toContain('=1+1');
    });

    it('of a visit around midnight, has the date and the time of its best detection', async () => {
      const midnight = Date.UTC(2026, 6, 10, 22);
      const post = (start: number, confidence: number) =>
        reports.writer.post(aRecording({ start, detections: [aDetection({ confidence })] }), 'test');
      await post(midnight - 30_000, 0.8);
      await post(midnight + 10_000, 0.9);
      const rows = table(await files('format=observation-org&date=2026-07-10'), 'observations.csv');
      expect(rows.map((row) => [row['date'], row['time']])).toEqual([['2026-07-11', '00:00']]);
    });

    it('in its preview, counts the rows of both', async () => {
      const { json } = await reports.app.inject({ url: `/api/ui/timeline/export/preview?${spring}` });
      // Whether a file can be decoded is only known when it is decoded.
      expect(json()).toMatchObject({ observations: 3, pictures: 2 });
    });

    it.each(['inaturalist', 'observation-org'])('as %s for a viewer, is refused', async (format) => {
      const response = await fetchExport(`format=${format}&${spring}`, { 'x-hub-caller': 'viewer' });
      expect([response.statusCode, response.json().code]).toEqual([403, 'unlock_required']);
    });

    it('without a certain visit, is refused', async () => {
      const response = await fetchExport('format=observation-org&date=2020-01-01');
      expect([response.statusCode, response.json().code]).toEqual([404, 'dataset_empty']);
    });
  });

  describe.skipIf(!hasStandards)('validated by the published standards', () => {
    const read = (name: string) => readFileSync(new URL(name, beside), 'utf8');

    it.each(['deployments', 'media', 'observations'])(
      'in %s.csv, matches the schema of its table',
      async (name) => {
        const archive = await files(`format=camtrap-dp&${whole}`);
        expect(
          findSchemaMistakes(
            JSON.parse(read(`camtrap-dp/${name}-table-schema.json`)),
            table(archive, `${name}.csv`),
          ),
        ).toEqual([]);
      },
    );

    it('in datapackage.json, matches the profile', async () => {
      const archive = await files(`format=camtrap-dp&${whole}`);
      const { $schema: _draft, ...profile } = JSON.parse(read('camtrap-dp/camtrap-dp-profile.json'));
      const ajv = new Ajv({ strict: false, validateFormats: false });
      ajv.addSchema({}, 'https://specs.frictionlessdata.io/schemas/data-package.json');
      ajv.addSchema({}, 'http://json.schemastore.org/geojson.json');
      const validate = ajv.compile(profile);
      expect([
        validate(JSON.parse(archive.get('datapackage.json')?.toString() ?? '')),
        validate.errors,
      ]).toEqual([true, null]);
    });

    it.each(['occurrence', 'event'])(
      'in meta.xml with the core %s, matches the schema and names existing terms',
      async (core) => {
        const archive = await files(`format=dwca&core=${core}&${whole}`);
        const meta = archive.get('meta.xml')?.toString() ?? '';
        const { valid, errors } = await validateXML({
          xml: [{ fileName: 'meta.xml', contents: meta }],
          schema: [{ fileName: 'text.xsd', contents: read('dwc/tdwg_dwc_text.xsd') }],
        });
        expect([valid, errors]).toEqual([true, []]);
        const terms = new Set(read('dwc/terms.txt').split(/\s+/));
        const named = [...meta.matchAll(/term="([^"]+)"/g)].map(([, term]) => term ?? '');
        expect(named.filter((term) => !terms.has(term))).toEqual([]);
      },
    );
  });
});

/** A schema that accepts every well-formed document with the root of EML. */
const anyEml = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="https://eml.ecoinformatics.org/eml-2.2.0">
  <xs:element name="eml"><xs:complexType><xs:sequence>
    <xs:any maxOccurs="unbounded" processContents="skip" namespace="##any"/>
  </xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element>
</xs:schema>`;

interface TableSchema {
  readonly fields: readonly {
    name: string;
    type: string;
    constraints?: {
      required?: boolean;
      unique?: boolean;
      minimum?: number;
      maximum?: number;
      pattern?: string;
      enum?: string[];
    };
  }[];
}

/** Returns the constraints of a Table Schema that the rows violate. */
function findSchemaMistakes({ fields }: TableSchema, rows: readonly Record<string, string>[]): string[] {
  const names = new Set(fields.map(({ name }) => name));
  const order = fields.map(({ name }) => name).filter((name) => rows[0] && name in rows[0]);
  const mistakes = Object.keys(rows[0] ?? {}).filter((column) => !names.has(column));
  if (order.join() !== Object.keys(rows[0] ?? {}).join()) mistakes.push('columns are in another order');
  for (const { name, type, constraints = {} } of fields) {
    const values = rows.map((row) => row[name] ?? '');
    if (constraints.unique && new Set(values).size !== values.length) mistakes.push(`${name} is not unique`);
    for (const value of values) {
      const wrong =
        value === ''
          ? constraints.required
          : (type === 'boolean' && !['true', 'false'].includes(value)) ||
            (type === 'datetime' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) ||
            (type === 'integer' && !/^-?\d+$/.test(value)) ||
            (['integer', 'number'].includes(type) &&
              !(
                Number(value) >= (constraints.minimum ?? -Infinity) &&
                Number(value) <= (constraints.maximum ?? Infinity)
              )) ||
            (constraints.pattern !== undefined && !new RegExp(constraints.pattern).test(value)) ||
            (constraints.enum !== undefined && !constraints.enum.includes(value));
      if (wrong) mistakes.push(`${name} is "${value}"`);
    }
  }
  return mistakes;
}
