import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { type Checklist, ebirdRecords, toChecklists, toEbird } from './ebird.js';
import type { Sighting } from './export.store.js';

const settings = (given: { ebird?: object; general?: object; secrets?: object } = {}, zone = 'UTC') => {
  const defaults = defaultSettings(zone);
  return {
    ...defaults,
    ebird: { ...defaults.ebird, ...given.ebird },
    general: { ...defaults.general, ...given.general },
    secrets: { ...defaults.secrets, ...given.secrets },
  };
};

const aChecklist = (given: Partial<Checklist> = {}): Checklist => ({
  day: '2026-05-01',
  start: Date.UTC(2026, 4, 1, 8, 5),
  end: Date.UTC(2026, 4, 1, 9, 0),
  species: new Map([
    ['Great Tit', { name: 'Great Tit', scientificName: 'Parus major', count: 3, seen: 2, heard: 0 }],
  ]),
  ...given,
});

const cells = (text: string) => text.split('\r\n')[0]?.split(',') ?? [];

describe('ebirdRecords', () => {
  it('a species of a day, is a row of 19 columns in order', () => {
    const place = settings({
      ebird: { country: 'us', state: 'US-NY', location_name: 'Back yard', complete_checklist: true },
      secrets: { latitude: '42.45', longitude: '-76.47' },
    });
    expect(ebirdRecords(aChecklist(), place)).toBe(
      'Great Tit,Parus,major,3,2 visits to a feeder camera,Back yard,42.45,-76.47,05/01/2026,08:05,NY,US,' +
        'Stationary,1,55,Y,,,Recorded by Birdhub\r\n',
    );
  });

  it.each([
    [1, 0, '1 visit to a feeder camera'],
    [0, 1, 'heard once by a microphone'],
    [0, 2, 'heard 2 times by a microphone'],
    [2, 1, '2 visits to a feeder camera; heard once by a microphone'],
  ])('a species seen %i and heard %i times, has the comment %s', (seen, heard, comment) => {
    const tit = { name: 'Great Tit', scientificName: null, count: 1, seen, heard };
    const row = cells(ebirdRecords(aChecklist({ species: new Map([['Great Tit', tit]]) }), settings()));
    expect(row[4]).toBe(comment);
  });

  it('a species named by marks only, has no row', () => {
    const marks = { name: '="', scientificName: null, count: 1, seen: 1, heard: 0 };
    expect(ebirdRecords(aChecklist({ species: new Map([['="', marks]]) }), settings())).toBe('');
  });

  it.each(['=cmd', `"=cmd|'/C calc'!A1`, ',+cmd', '",=cmd', ' "-cmd', '\u0000@cmd', '=","=cmd'])(
    'the name %j, begins no formula',
    (name) => {
      const tit = { name, scientificName: name, count: 1, seen: 1, heard: 0 };
      const place = settings({ ebird: { location_name: name } });
      const row = cells(ebirdRecords(aChecklist({ species: new Map([[name, tit]]) }), place));
      expect([row[0]?.slice(0, 3), row.filter((text) => /^[=+@-]/.test(text))]).toEqual(['cmd', []]);
    },
  );

  it('commas, quotes and line breaks in names, become spaces', () => {
    const place = settings({ ebird: { location_name: 'Yard, "old"\nwest' } });
    const row = cells(ebirdRecords(aChecklist(), place));
    expect([row.length, row[5]]).toEqual([19, 'Yard old west']);
  });

  it.each([
    ['New York', ''],
    ['=1+', ''],
    ['us-ny', 'NY'],
    [' NSW ', 'NSW'],
    ['01', '01'],
    ['', ''],
  ])('the state "%s", is the code "%s"', (state, code) => {
    const row = cells(ebirdRecords(aChecklist(), settings({ ebird: { country: 'US', state } })));
    expect(row[10]).toBe(code);
  });

  it('a hub without a location name, has the name of the hub', () => {
    expect(cells(ebirdRecords(aChecklist(), settings({ general: { app_name: 'Our Hub' } })))[5]).toBe(
      'Our Hub',
    );
  });

  it.each([
    [0, '1'],
    [29_000, '1'],
    [150_000, '3'],
    [30 * 3_600_000, '1440'],
  ])('a checklist of %i ms, lasts %s minutes', (ms, minutes) => {
    const { start } = aChecklist();
    expect(cells(ebirdRecords(aChecklist({ end: start + ms }), settings()))[14]).toBe(minutes);
  });

  it('the time, is local', () => {
    expect(cells(ebirdRecords(aChecklist(), settings({}, 'Asia/Kathmandu')))[9]).toBe('13:50');
  });
});

describe('toEbird', () => {
  it.each([
    [{ 'great tit': 'Kohlmeise' }, 'Kohlmeise'],
    [{ 'Great Tit': ' ' }, 'Great Tit'],
  ])('with the mapping %j, names a species %s', async (species_mapping, expected) => {
    const start = Date.UTC(2026, 4, 1, 8);
    const sighting = { name: 'Great Tit', scientificName: null, count: 1, start, end: start, isHeard: false };
    const slices = (async function* () {
      yield [sighting];
    })();
    const file = await toEbird(slices, settings({ ebird: { species_mapping } }));
    expect(cells(file.toString())[0]).toBe(expected);
  });
});

describe('toChecklists', () => {
  const at = (time: string, given: Partial<Sighting> = {}): Sighting => {
    const start = Date.parse(time);
    return {
      name: 'Robin',
      scientificName: null,
      count: 1,
      start,
      end: start + 60_000,
      isHeard: false,
      ...given,
    };
  };
  const collect = (sightings: Sighting[], nameOf = (name: string) => name) =>
    toChecklists(
      (async function* () {
        yield sightings;
      })(),
      'America/New_York',
      nameOf,
    );

  it('visits around local midnight, belong to two days, in order', async () => {
    const days = await collect([at('2026-05-02T04:30:00Z'), at('2026-05-02T03:30:00Z')]);
    expect(days.map(({ day }) => day)).toEqual(['2026-05-01', '2026-05-02']);
  });

  it('several visits of a day, are one row with the most birds at once', async () => {
    const [day] = await collect([
      at('2026-05-02T15:30:00Z', { count: 4 }),
      at('2026-05-02T12:30:00Z', { isHeard: true }),
    ]);
    expect(day).toMatchObject({
      start: Date.parse('2026-05-02T12:30:00Z'),
      end: Date.parse('2026-05-02T15:31:00Z'),
    });
    expect([...(day?.species.values() ?? [])]).toEqual([
      { name: 'Robin', scientificName: null, count: 4, seen: 1, heard: 1 },
    ]);
  });

  it('two names with one eBird name, are one species', async () => {
    const sightings = [at('2026-05-02T12:30:00Z'), at('2026-05-02T12:40:00Z', { name: 'Rotkehlchen' })];
    const [day] = await collect(sightings, () => 'European Robin');
    expect([...(day?.species.keys() ?? [])]).toEqual(['European Robin']);
  });
});
