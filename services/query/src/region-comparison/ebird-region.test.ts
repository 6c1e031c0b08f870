import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { readObservations, regionOf } from './ebird-region.js';

describe('regionOf', () => {
  const { ebird } = defaultSettings('UTC');
  it.each([
    ['US', '', 'US'],
    ['us', 'ny', 'US-NY'],
    [' GB ', ' eng ', 'GB-ENG'],
    ['US', 'US-NY', 'US-NY'],
    ['', 'NY', undefined],
  ])('country %j and state %j, is %s', (country, state, expected) => {
    expect(regionOf({ ebird: { ...ebird, country, state } })).toBe(expected);
  });
});

describe('readObservations', () => {
  const tit = {
    speciesCode: 'gretit1',
    comName: 'Great Tit',
    sciName: 'Parus major',
    locId: 'L1',
    howMany: 2,
  };

  it('observations, are species with the most birds first', () => {
    const robin = {
      ...tit,
      speciesCode: 'eurrob1',
      comName: 'European Robin',
      sciName: 'Erithacus rubecula',
      howMany: 7,
    };
    expect(readObservations([tit, robin])).toEqual([
      { code: 'eurrob1', name: 'European Robin', scientificName: 'Erithacus rubecula', count: 7 },
      { code: 'gretit1', name: 'Great Tit', scientificName: 'Parus major', count: 2 },
    ]);
  });

  it('one species twice, is added up', () => {
    expect(readObservations([tit, { ...tit, howMany: 3 }])).toMatchObject([{ count: 5 }]);
  });

  it('a report without a number, counts one, and equals stand by name', () => {
    const birds = ['Wren', 'Dunnock'].map((comName) => ({ comName }));
    expect(readObservations(birds)).toEqual([
      { code: null, name: 'Dunnock', scientificName: null, count: 1 },
      { code: null, name: 'Wren', scientificName: null, count: 1 },
    ]);
  });

  it('what is no observation, is left out', () => {
    expect(readObservations([null, 5, 'x', [], {}, { comName: '' }, { speciesCode: 'x' }, tit])).toHaveLength(
      1,
    );
  });

  it.each([null, {}, { errors: [] }, 'text', 5])('%j, is no list', (answer) => {
    expect(() => readObservations(answer)).toThrow('ebird answered no list');
  });
});
