import { describe, expect, test } from 'vitest';
import { changesOf, toPatch } from './setting-values';

const settings = {
  general: { app_name: 'Birdhub', notification_excluded_species: ['House Sparrow'] },
  feed: { source: 'none', duration_seconds: 3 },
};

describe('changesOf', () => {
  test('a draft equal to the stored values, has no changes', () => {
    expect(changesOf(settings, { 'general.app_name': 'Birdhub', 'feed.duration_seconds': 3 })).toEqual({});
  });

  test('a draft with other values, has only those as changes', () => {
    const draft = {
      'general.app_name': 'Garden',
      'general.notification_excluded_species': ['House Sparrow'],
    };
    expect(changesOf(settings, draft)).toEqual({ 'general.app_name': 'Garden' });
  });
});

describe('toPatch', () => {
  test('keys of several sections, are grouped by section', () => {
    const patch = toPatch({}, { 'general.app_name': 'Garden', 'feed.source': 'mqtt' });
    expect(patch).toEqual({ general: { app_name: 'Garden' }, feed: { source: 'mqtt' } });
  });

  test('a list, is replaced as a whole', () => {
    const before = { 'general.notification_excluded_species': ['House Sparrow'] };
    const patch = toPatch(before, { 'general.notification_excluded_species': [] });
    expect(patch).toEqual({ general: { notification_excluded_species: [] } });
  });

  test('a mapping, has only changed names, and null for removed ones', () => {
    const before = { 'detection.species_mapping': { Parus: 'Great Tit', Pica: 'Magpie', Turdus: 'Thrush' } };
    const after = {
      'detection.species_mapping': { Pica: 'Eurasian Magpie', Turdus: 'Thrush', Sitta: 'Nuthatch' },
    };
    expect(toPatch(before, after)).toEqual({
      detection: { species_mapping: { Pica: 'Eurasian Magpie', Sitta: 'Nuthatch', Parus: null } },
    });
  });
});
