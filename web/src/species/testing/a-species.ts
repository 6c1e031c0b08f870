import type { Species } from '../species-queries';

/** A species for tests. */
export function aSpecies(more: Partial<Species> = {}): Species {
  return {
    id: 1,
    name: 'Great Tit',
    scientific_name: null,
    parent_id: null,
    created_at: '2026-01-01T00:00:00+00:00',
    image_url: null,
    description: null,
    active: true,
    count: 0,
    visits: 0,
    heard_only: false,
    ...more,
  };
}
