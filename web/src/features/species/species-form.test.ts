import { describe, expect, it } from 'vitest';
import { Problem } from '../../api/problem';
import { createSpecies } from '../../testing/factories';
import { fieldErrors, formOf, patchOf } from './species-form';

const summary = {
  id: 1,
  name: 'Great Tit',
  scientific_name: 'Parus major',
  image_url: null,
  thumbhash: null,
  description: 'Common.',
  description_language: null,
  description_source: null,
  active: true,
  group: 'bird' as const,
  parent: null,
};
const species = createSpecies({ scientific_name: 'Parus major', description: 'Common.', parent_id: 4 });
const before = formOf(species, summary);

describe('formOf', () => {
  it('values entered by a person, are in the fields', () => {
    expect(before).toMatchObject({ name: 'Great Tit', description: 'Common.', parent_id: 4, image_url: '' });
  });

  it('a text of the encyclopedia and a picture of the hub, are left out', () => {
    const source = { url: 'https://example.org', licence: 'CC' };
    const found = formOf(
      { ...species, image_url: '/api/ui/detections/7/crop' },
      { ...summary, description_source: source },
    );
    expect([found.description, found.image_url]).toEqual(['', '']);
  });
});

describe('patchOf', () => {
  it('without changes, is empty', () => {
    expect(patchOf(before, before)).toEqual({});
  });

  it('with changed fields, contains only those, normalised', () => {
    const after = { ...before, name: ' Kohlmeise ', ebird_code: 'GRETIT1 ', active: false };
    expect(patchOf(before, after)).toEqual({ name: 'Kohlmeise', ebird_code: 'gretit1', active: false });
  });

  it('with emptied fields, sets them to null', () => {
    const after = { ...before, scientific_name: '', description: ' ', parent_id: null };
    expect(patchOf(before, after)).toEqual({ scientific_name: null, description: null, parent_id: null });
  });
});

describe('fieldErrors', () => {
  it('with details from the hub, returns their messages by field', () => {
    const details = [{ path: '/ebird_code', message: 'is taken' }];
    expect(fieldErrors(new Problem(409, { code: 'conflict', details }))).toEqual({ ebird_code: 'is taken' });
  });

  it('with another error, returns none', () => {
    expect([fieldErrors(new Problem(0, {})), fieldErrors(new Error('x')), fieldErrors(null)]).toEqual([
      {},
      {},
      {},
    ]);
  });
});
