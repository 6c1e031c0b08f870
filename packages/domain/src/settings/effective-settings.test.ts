import { describe, expect, it } from 'vitest';
import { withDefaults } from './effective-settings.js';
import { defaultSettings } from './schema.js';

describe('withDefaults', () => {
  it.each([undefined, null, {}, [], 'text', 3])(
    '%j in the store, returns the defaults with the zone of the host',
    (stored) => {
      expect(withDefaults(stored, 'Europe/Prague')).toEqual(defaultSettings('Europe/Prague'));
      expect(withDefaults(stored, 'Europe/Prague').general.timezone).toBe('Europe/Prague');
    },
  );

  it('a stored value, replaces its default and no other in the group', () => {
    const settings = withDefaults(
      { detection: { min_confidence_to_store: 0.4 }, general: { app_name: 'x' } },
      'UTC',
    );
    expect(settings.detection).toEqual({ min_confidence_to_store: 0.4, species_mapping: {} });
    expect(settings.general).toMatchObject({ app_name: 'x', timezone: 'UTC', session_idle_minutes: 30 });
  });

  it.each(['', 'Mars/Base', 'local', 3, null])(
    'a stored zone of %j, is replaced by that of the host',
    (timezone) => {
      const { general } = withDefaults({ general: { timezone, app_name: 'x' } }, 'Asia/Tehran');
      expect(general).toMatchObject({ timezone: 'Asia/Tehran', app_name: 'x' });
    },
  );

  it('unknown keys, are kept', () => {
    const own = { processor: { fps: 3 }, flat: 1, visits: { unknown: [] } };
    expect(withDefaults(own, 'UTC')).toMatchObject({ ...own, visits: { gap_seconds: 60, unknown: [] } });
  });

  it.each([null, 3, 'text', []])('a stored group of %j, is replaced by the default group', (group) => {
    expect(withDefaults({ visits: group }, 'UTC').visits).toEqual({ gap_seconds: 60 });
  });

  it('stored lists, replace the defaults as a whole', () => {
    const cameras = [{ id: 'north' }];
    expect(withDefaults({ video: { cameras } }, 'UTC').video.cameras).toEqual(cameras);
  });

  it('the stored value, is not mutated', () => {
    const stored = Object.freeze({ visits: Object.freeze({}) });
    expect(withDefaults(stored, 'UTC').visits.gap_seconds).toBe(60);
    expect(stored.visits).toEqual({});
  });
});
