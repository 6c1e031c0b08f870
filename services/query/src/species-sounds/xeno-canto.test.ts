import { describe, expect, it } from 'vitest';
import { readRecordings, searchPage, searchQuery, secureAddress } from './xeno-canto.js';

const aRecording = (given: object = {}) => ({
  id: '694038',
  gen: 'Parus',
  sp: 'major',
  en: 'Great Tit',
  rec: 'Somebody',
  cnt: 'Spain',
  type: 'song',
  file: 'https://xeno-canto.org/694038/download',
  'file-name': 'XC694038.mp3',
  lic: '//creativecommons.org/licenses/by-nc-sa/4.0/',
  q: 'A',
  length: '0:46',
  ...given,
});
const idsOf = (...recordings: unknown[]) => readRecordings({ recordings }).map(({ id }) => id);

describe('secureAddress', () => {
  it.each([
    ['https://xeno-canto.org/1/download', 'https://xeno-canto.org/1/download'],
    ['//xeno-canto.org/1/download', 'https://xeno-canto.org/1/download'],
    ['/1/download', 'https://xeno-canto.org/1/download'],
    ['http://xeno-canto.org/1', 'https://xeno-canto.org/1'],
    ['javascript:alert(1)', null],
    ['data:audio/mpeg;base64,AA', null],
    ['https://[', null],
    ['', null],
    [5, null],
    [null, null],
  ])('%j, is %j', (given, expected) => {
    expect(secureAddress(given)).toBe(expected);
  });
});

describe('readRecordings', () => {
  it('a recording of the archive, is converted to that of the hub', () => {
    expect(readRecordings({ numRecordings: '1', recordings: [aRecording()] })).toEqual([
      {
        id: '694038',
        file: 'https://xeno-canto.org/694038/download',
        en: 'Great Tit',
        type: 'song',
        rec: 'Somebody',
        cnt: 'Spain',
        length: '0:46',
        quality: 'A',
        licence: 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
      },
    ]);
  });

  it('many recordings, are cut to the best five: by quality, songs and calls first', () => {
    const recordings = [
      aRecording({ id: '1', q: 'no score' }),
      aRecording({ id: '2', q: 'B' }),
      aRecording({ id: '3', q: 'A', type: 'wing beats' }),
      aRecording({ id: '4', q: 'A', type: 'flight call, male' }),
      aRecording({ id: '5', q: 'E' }),
      aRecording({ id: '6', q: 'a', type: 'Song' }),
      aRecording({ id: '7', q: '' }),
    ];
    expect(idsOf(...recordings)).toEqual(['4', '6', '3', '2', '5']);
  });

  it('a recording without a playable file, is left out', () => {
    const odd = [{}, null, 'x', { file: '' }, { file: 'ftp://x/y' }].map((given) =>
      typeof given === 'object' && given ? aRecording({ file: undefined, ...given }) : given,
    );
    expect(idsOf(...odd, aRecording({ id: 7 }))).toEqual(['7']);
  });

  it('a recording with few fields, has null for the others', () => {
    expect(readRecordings({ recordings: [{ id: 5, file: '/5/download' }] })).toEqual([
      {
        id: '5',
        file: 'https://xeno-canto.org/5/download',
        en: null,
        type: null,
        rec: null,
        cnt: null,
        length: null,
        quality: null,
        licence: null,
      },
    ]);
  });

  it('an empty list, is empty', () => {
    expect(readRecordings({ numRecordings: '0', recordings: [] })).toEqual([]);
  });

  it.each([null, [], {}, { error: 'client_error', message: 'x' }, { recordings: {} }])(
    '%j, which is not a list, throws',
    (response) => {
      expect(() => readRecordings(response)).toThrow('xeno-canto returned no list');
    },
  );
});

describe('searchQuery', () => {
  it.each([
    ['Great Tit', 'Parus major', 'gen:"Parus" sp:"major"'],
    ['White-headed Long-tailed Tit', 'Aegithalos caudatus caudatus', 'gen:"Aegithalos" sp:"caudatus"'],
    ['Great Tit', null, 'en:"=Great Tit"'],
    ['Great Tit', ' ', 'en:"=Great Tit"'],
    ['Tits', 'Paridae', 'en:"=Tits"'],
    ['A "big" bird', null, 'en:"=A big bird"'],
  ])('%s, %j, gives %s', (name, scientificName, expected) => {
    expect(searchQuery({ name, scientificName })).toBe(expected);
  });
});

describe('searchPage', () => {
  it('a query, gives its page of the archive', () => {
    const url = new URL(searchPage('gen:"Parus" sp:"major"'));
    expect([url.origin, url.pathname, url.searchParams.get('query')]).toEqual([
      'https://xeno-canto.org',
      '/explore',
      'gen:"Parus" sp:"major"',
    ]);
  });
});
