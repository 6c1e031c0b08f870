import type { HookMapping } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { toConfidence, toCount, toInstantText, toPicture } from './field-values.js';
import { mapSighting } from './map-sighting.js';
import { readPointer } from './pointed-value.js';
import { suggestMapping } from './suggest-mapping.js';

const zone = 'Europe/Berlin';
const map = (mapping: HookMapping, body: unknown) => mapSighting(mapping, body, zone);

describe('readPointer', () => {
  const body = { a: [{ 'x/y': 1, '~': 2 }], text: '{"inner": {"list": [7, "[8]"]}}', '': 'empty' };
  it.each([
    ['', body],
    ['/a/0/x~1y', 1],
    ['/a/0/~0', 2],
    ['/', 'empty'],
    ['/text/inner/list/0', 7],
    ['/text/inner/list/1/0', 8],
    ['/a/1', undefined],
    ['/a/-', undefined],
    ['/a/00', undefined],
    ['/text/inner/none/deeper', undefined],
    ['/constructor', undefined],
    ['/a/length', undefined],
  ])('%s, refers to %j', (pointer, expected) => expect(readPointer(body, pointer)).toEqual(expected));
});

describe('values of fields', () => {
  it.each([
    [0.93, 0.93],
    [93, 0.93],
    ['93%', 0.93],
    [' 93 % ', 0.93],
    ['0,93', 0.93],
    ['.5', 0.5],
    [1, 1],
    ['1%', 0.01],
    [0, 0],
    [0.8999999761581421, 0.8999999761581421],
    ['0.8999999761581421', 0.8999999761581421],
    [93.12345678901234, 0.9312345678901234],
    [5e-7, 5e-7],
    ['5E-7', 5e-7],
    [1.0000001192092896, 1],
    [1.001, 1],
    [1.01, 0.0101],
    [100.00000762939453, 1],
    ['100.00001%', 1],
    ['high', undefined],
    [101, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [1e300, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [[0.9], undefined],
    [null, undefined],
    [true, undefined],
  ])('a confidence of %j, is %j', (given, expected) => {
    const converted = toConfidence(given);
    expect('value' in converted ? converted.value : undefined).toBe(expected);
  });

  it.each([
    ['2026-05-01T06:12:03+02:00', '2026-05-01T04:12:03.000Z'],
    ['2026-05-01T04:12:03.5Z', '2026-05-01T04:12:03.500Z'],
    ['2026-05-01 06:12:03', '2026-05-01T04:12:03.000Z'],
    ['2026-05-01T06:12', '2026-05-01T04:12:00.000Z'],
    ['2026-01-01T06:12:03.250', '2026-01-01T05:12:03.250Z'],
    // The first of the two equal hours in autumn.
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    [1_777_608_723, '2026-05-01T04:12:03.000Z'],
    [1_777_608_723.5, '2026-05-01T04:12:03.500Z'],
    [1_777_608_723_000, '2026-05-01T04:12:03.000Z'],
    ['1777608723', '2026-05-01T04:12:03.000Z'],
    ['06:12:03', undefined],
    ['2026-02-30 06:12:03', undefined],
    ['yesterday', undefined],
    [-5, undefined],
    [1e300, undefined],
    [{}, undefined],
  ])('a time of %j, is %j', (given, expected) => {
    const converted = toInstantText(given, zone);
    expect('value' in converted ? converted.value : undefined).toBe(expected);
  });

  it.each([
    ['https://nas/a.jpg', { image_url: 'https://nas/a.jpg' }],
    [
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==',
      { image_base64: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==' },
    ],
    ['/9j/4AAQSkZJRgABAQ==', { image_base64: '/9j/4AAQSkZJRgABAQ==' }],
    ['http://', undefined],
    ['file:///etc/passwd', undefined],
    [7, undefined],
  ])('a picture of %j, is %j', (given, expected) => {
    const converted = toPicture(given);
    expect('value' in converted ? converted.value : undefined).toEqual(expected);
  });

  it.each([
    ['2', 2],
    [3, 3],
    ['2.0', 2],
    [0, undefined],
    [1.5, undefined],
    ['many', undefined],
  ])('a count of %j, is %j', (given, expected) => {
    const converted = toCount(given);
    expect('value' in converted ? converted.value : undefined).toBe(expected);
  });
});

describe('mapSighting', () => {
  it('a message of Apprise whose text is JSON, becomes a sighting', async () => {
    const message = JSON.stringify({
      com: 'Great Tit',
      sci: 'Parus major',
      pct: '93',
      at: '2026-05-01 06:12:03',
    });
    const mapping = {
      species_name: '/message/com',
      scientific_name: '/message/sci',
      confidence: '/message/pct',
      time: '/message/at',
      camera_id: 'microphone',
    };
    expect(await map(mapping, { version: '1.0', message })).toEqual({
      sighting: {
        species_name: 'Great Tit (Parus major)',
        confidence: 0.93,
        time: '2026-05-01T04:12:03.000Z',
        camera_id: 'microphone',
      },
      problems: [],
    });
  });

  it('with a source, has it in every sighting', async () => {
    const { sighting } = await map({ species_name: '/bird', source: 'audio' }, { bird: 'Robin' });
    expect(sighting).toEqual({ species_name: 'Robin', source: 'audio' });
  });

  it('a text that a pattern matches, gives the fields that no pointer finds', async () => {
    const mapping = {
      text: '/message',
      pattern: '(?<species_name>[^(]+) \\((?<scientific_name>[^)]+)\\) (?<confidence>[\\d.]+)',
      confidence: '/score',
    };
    const message = 'Great Tit (Parus major) 0.93';
    expect((await map(mapping, { message })).sighting).toEqual({
      species_name: 'Great Tit (Parus major)',
      confidence: 0.93,
    });
    expect((await map(mapping, { message, score: 0.5 })).sighting?.confidence).toBe(0.5);
    expect(await map(mapping, { message: 'Hello' })).toMatchObject({
      sighting: undefined,
      problems: [
        { field: 'pattern', message: 'does not match the text', isFatal: false },
        { field: 'species_name', pointer: '/message', isFatal: true },
        { field: 'confidence', isFatal: false },
      ],
    });
  });

  it('a pattern prone to catastrophic backtracking, on a long text, returns at once', async () => {
    const mapping = { text: '/message', pattern: '(?<species_name>(?:a+)+)$' };
    expect((await map(mapping, { message: `${'a'.repeat(9_000)}!` })).sighting).toBeUndefined();
    const long = await map(mapping, { message: 'a'.repeat(10_001) });
    expect(long.problems[0]).toMatchObject({ field: 'pattern', isFatal: true });
  });

  it('a field not found, is reported and left out, but an invalid one prevents the sighting', async () => {
    const mapping = { species_name: '/bird', time: '/when', confidence: '/sure' };
    expect(await map(mapping, { bird: 'Robin', sure: 0.9 })).toEqual({
      sighting: { species_name: 'Robin', confidence: 0.9 },
      problems: [
        {
          field: 'time',
          pointer: '/when',
          message: 'nothing is found there',
          code: 'nothing_there',
          isFatal: false,
        },
      ],
    });
    expect(await map(mapping, { bird: 'Robin', when: 'soon', sure: 0.9 })).toMatchObject({
      sighting: undefined,
      problems: [{ field: 'time', pointer: '/when', isFatal: true }],
    });
  });

  it('an optional value that cannot be used, is reported and left out', async () => {
    const mapping = {
      species_name: '/bird',
      time: '/at',
      end_time: '/end',
      count: '/n',
      image: '/picture',
      note: '/note',
    };
    const body = {
      bird: 'Robin',
      at: '2026-05-01T08:00:00Z',
      end: '2026-05-01T07:00:00Z',
      n: 501,
      picture: 7,
      note: 'a\0b',
    };
    const { sighting, problems } = await map(mapping, body);
    expect(sighting).toEqual({ species_name: 'Robin', time: '2026-05-01T08:00:00.000Z' });
    expect(problems.map(({ field, code, isFatal }) => [field, code, isFatal])).toEqual([
      ['end_time', 'end_before_start', false],
      ['count', 'too_many', false],
      ['note', 'plain_text', false],
      ['image', 'value_not_text', false],
    ]);
    const { time: _, ...withoutTime } = mapping;
    expect((await map(withoutTime, { bird: 'Robin', end: body.end })).problems).toContainEqual(
      expect.objectContaining({ field: 'end_time', code: 'both_ends', isFatal: false }),
    );
  });

  it.each([
    ['two\r\nlines', 'two\r\nlines'],
    ['a'.repeat(1_001), 'a'.repeat(1_000)],
    [`${'a'.repeat(999)}🐦`, 'a'.repeat(999)],
  ])('the note %j, is taken with its lines up to the maximum', async (given, note) => {
    const { sighting, problems } = await map(
      { species_name: '/bird', note: '/note' },
      { bird: 'Robin', note: given },
    );
    expect([sighting?.note, problems]).toEqual([note, []]);
  });

  it('an id longer than that of a sighting, is refused with its pointer', async () => {
    const { problems } = await map(
      { species_name: '/bird', id: '/key' },
      { bird: 'Robin', key: 'x'.repeat(129) },
    );
    expect(problems).toMatchObject([{ field: 'id', pointer: '/key', code: 'too_long', isFatal: true }]);
  });

  it.each([
    null,
    7,
    'text',
    [],
    {},
    { bird: null },
    { bird: ' ' },
    { bird: { name: 'Robin' } },
    { bird: 'a\u0000b' },
  ])('%j, has no species name', async (body) => {
    const { sighting, problems } = await map({ species_name: '/bird' }, body);
    expect(sighting).toBeUndefined();
    expect(problems.filter(({ isFatal }) => isFatal)).toMatchObject([
      { field: 'species_name', pointer: '/bird' },
    ]);
  });
});

describe('suggestMapping', () => {
  it('a detection of BirdNET-Go, is found by the names of its keys', () => {
    const example = {
      CommonName: 'Great Tit',
      ScientificName: 'Parus major',
      Confidence: 0.93,
      BeginTime: '2026-05-01T06:12:03+02:00',
      SourceNode: 'garden',
      detectionId: 41,
    };
    expect(suggestMapping(example)).toEqual({
      source: 'audio',
      species_name: '/CommonName',
      scientific_name: '/ScientificName',
      confidence: '/Confidence',
      time: '/BeginTime',
      camera: '/SourceNode',
      id: '/detectionId',
    });
  });

  it.each([
    [{ comname: 'Great Tit', sciname: 'Parus major' }],
    [{ title: 'New detection (BirdNET-Go)', species: 'Great Tit' }],
  ])('%j of BirdNET, is suggested as heard', (example) => {
    expect(suggestMapping(example).source).toBe('audio');
  });

  it('an event of Frigate, is suggested with name and score of its list', () => {
    const after = {
      id: '17.5-ab',
      camera: 'birdcam',
      label: 'bird',
      sub_label: ['Great Tit', 0.93],
      score: 0.8,
    };
    expect(suggestMapping({ type: 'end', after })).toMatchObject({
      species_name: '/after/sub_label/0',
      camera: '/after/camera',
      id: '/after/id',
    });
    expect(suggestMapping({ type: 'end', after }).source).toBeUndefined();
  });

  it('the id of another object, is not suggested for the sighting', () => {
    expect(suggestMapping({ detection: { source: { id: 'garden' }, species: 'Robin' } })).toEqual({
      species_name: '/detection/species',
      camera: '/detection/source/id',
    });
  });

  it('a text with both names, is suggested with a pattern that matches them', async () => {
    const example = {
      version: '1.0',
      title: 'New bird',
      message: 'A Great Tit (Parus major) was just heard with 93%',
    };
    const mapping = suggestMapping(example);
    expect(mapping.text).toBe('/message');
    const { sighting } = await map(mapping, example);
    expect(sighting).toMatchObject({
      species_name: expect.stringContaining('Great Tit (Parus major)'),
      confidence: 0.93,
    });
  });

  it.each([[null], ['text'], [7], [[]], [{}], [[[[[]]]]]])('%j, suggests nothing', (example) => {
    expect(suggestMapping(example)).toEqual({});
  });
});
