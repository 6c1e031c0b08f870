import { defaultSettings, ebirdRegionOf } from '@birdhub/domain/settings';
import { speciesKey } from '@birdhub/domain/species';
import { describe, expect, it } from 'vitest';
import {
  compareSpecies,
  type HubSpecies,
  type RegionSpecies,
  readObservations,
} from './region-comparison.js';

const aHubSpecies = (name: string, given: Partial<HubSpecies> = {}): HubSpecies => ({
  name,
  scientificName: null,
  ebirdCode: null,
  keys: [speciesKey(name)],
  ...given,
});
const aRegionSpecies = (name: string, given: Partial<RegionSpecies> = {}): RegionSpecies => ({
  name,
  code: null,
  scientificName: null,
  count: 1,
  ...given,
});
const isMatched = (hub: HubSpecies, region: RegionSpecies, pairs = {}) =>
  compareSpecies([hub], [region], pairs).matchCount === 1;

describe('compareSpecies', () => {
  it('some common and some other species, are distinguished and have the names of the hub', () => {
    const hub = [aHubSpecies('Grey Heron', { ebirdCode: 'graher1' }), aHubSpecies('Pink Phoenix')];
    const region = [aRegionSpecies('Mallard'), aRegionSpecies('Gray Heron', { code: 'graher1' })];
    expect(compareSpecies(hub, region, {})).toEqual({
      userCount: 2,
      regionTopCount: 2,
      matchCount: 1,
      matchedSpecies: ['Grey Heron'],
      regionTop: ['Mallard', 'Grey Heron'],
      onlyHere: ['Pink Phoenix'],
    });
  });

  it.each([
    ['the code', { ebirdCode: 'x1' }, { code: 'x1' }],
    ['the scientific name', { scientificName: 'Parus major' }, { scientificName: 'parus  Major' }],
  ])('species equal in %s but not in name, are matched', (_, hub, region) => {
    expect(isMatched(aHubSpecies('Kohlmeise', hub), aRegionSpecies('Great Tit', region))).toBe(true);
  });

  it.each([
    ['Great Tit', 'great tit'],
    ["Anna's Hummingbird", 'Anna’s Hummingbird'],
    ['Black-capped Chickadee', 'Black capped Chickadee'],
  ])('species equal in name, %s and %s, are matched', (here, there) => {
    expect(isMatched(aHubSpecies(here), aRegionSpecies(there, { code: 'x', scientificName: 'Y z' }))).toBe(
      true,
    );
  });

  it('a species with another spelling here, is matched by it', () => {
    expect(isMatched(aHubSpecies('Grey Heron', { keys: ['gray heron'] }), aRegionSpecies('Gray Heron'))).toBe(
      true,
    );
  });

  it.each([{ 'Grey Heron': 'Gray Heron' }, { 'Gray Heron': 'grey heron' }])(
    'names paired in the settings, %j, are matched',
    (pairs) => {
      expect(isMatched(aHubSpecies('Grey Heron'), aRegionSpecies('Gray Heron'), pairs)).toBe(true);
      expect(isMatched(aHubSpecies('Mallard'), aRegionSpecies('Gray Heron'), pairs)).toBe(false);
    },
  );

  it('a name paired with a blank text, is not matched by it', () => {
    expect(isMatched(aHubSpecies('Wren'), aRegionSpecies(' '), { Wren: ' ' })).toBe(false);
  });

  it('species without code and scientific name, are not matched by these', () => {
    expect(isMatched(aHubSpecies('Wren'), aRegionSpecies('Robin'))).toBe(false);
  });

  it('two species of the region that are one at the hub, are listed once', () => {
    const hub = [aHubSpecies('Redpoll', { ebirdCode: 'redpol1', keys: ['hoary redpoll'] })];
    const region = [aRegionSpecies('Redpoll', { code: 'redpol1' }), aRegionSpecies('Hoary Redpoll')];
    expect(compareSpecies(hub, region, {})).toMatchObject({ matchCount: 1, regionTop: ['Redpoll'] });
  });

  it('a large region, has its first twenty as top, but all of it counted and matched', () => {
    const region = Array.from({ length: 300 }, (_, at) => aRegionSpecies(`Bird number ${at}`));
    const compared = compareSpecies([aHubSpecies('Bird number 299')], region, {});
    expect(compared).toMatchObject({ regionTopCount: 300, matchCount: 1, onlyHere: [] });
    expect(compared.regionTop).toEqual(region.slice(0, 20).map(({ name }) => name));
  });
});

describe('ebirdRegionOf', () => {
  const { ebird } = defaultSettings('UTC');
  it.each([
    ['US', '', 'US'],
    ['us', 'ny', 'US-NY'],
    [' GB ', ' eng ', 'GB-ENG'],
    ['US', 'US-NY', 'US-NY'],
    ['', 'NY', undefined],
  ])('the country %j and the state %j, give %s', (country, state, expected) => {
    expect(ebirdRegionOf({ ebird: { ...ebird, country, state } })).toBe(expected);
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

  it('repeated species, are summed', () => {
    expect(readObservations([tit, { ...tit, howMany: 3 }])).toMatchObject([{ count: 5 }]);
  });

  it('reports without a number, count as one, and equal counts are sorted by name', () => {
    const birds = ['Wren', 'Dunnock'].map((comName) => ({ comName }));
    expect(readObservations(birds)).toEqual([
      { code: null, name: 'Dunnock', scientificName: null, count: 1 },
      { code: null, name: 'Wren', scientificName: null, count: 1 },
    ]);
  });

  it('invalid observations, are left out', () => {
    expect(readObservations([null, 5, 'x', [], {}, { comName: '' }, { speciesCode: 'x' }, tit])).toHaveLength(
      1,
    );
  });

  it.each([null, {}, { errors: [] }, 'text', 5])('%j, which is not a list, throws', (response) => {
    expect(() => readObservations(response)).toThrow('ebird returned no list');
  });
});
