import { describe, expect, it } from 'vitest';
import { defaultSettings } from './settings-schema.js';
import { withDefaults } from './with-defaults.js';

describe('withDefaults', () => {
  it.each([undefined, null, {}, [], 'text', 3])(
    '%j in store, is the defaults with the zone of the host',
    (stored) => {
      expect(withDefaults(stored, 'Europe/Prague')).toEqual(defaultSettings('Europe/Prague'));
      expect(withDefaults(stored, 'Europe/Prague').general.timezone).toBe('Europe/Prague');
    },
  );

  it('a value in store, wins and leaves the rest of its group', () => {
    const settings = withDefaults(
      { detection: { min_confidence_to_store: 0.4 }, general: { app_name: 'x' } },
      'UTC',
    );
    expect(settings.detection).toEqual({ min_confidence_to_store: 0.4, species_mapping: {} });
    expect(settings.general).toMatchObject({ app_name: 'x', timezone: 'UTC', session_idle_minutes: 30 });
  });

  it.each(['', 'Mars/Base', 'local', 3, null])(
    'a zone that is %j in store, is that of the host',
    (timezone) => {
      const { general } = withDefaults({ general: { timezone, app_name: 'x' } }, 'Asia/Tehran');
      expect(general).toMatchObject({ timezone: 'Asia/Tehran', app_name: 'x' });
    },
  );

  it('keys that the hub does not know, are handed through', () => {
    const own = { processor: { fps: 3 }, flat: 1, visits: { unknown: [] } };
    expect(withDefaults(own, 'UTC')).toMatchObject({ ...own, visits: { gap_seconds: 60, unknown: [] } });
  });

  it.each([null, 3, 'text', []])('a group that is %j in store, is the default group', (group) => {
    expect(withDefaults({ visits: group }, 'UTC').visits).toEqual({ gap_seconds: 60 });
  });

  it('lists and mappings in store, replace those of the defaults whole', () => {
    const cameras = [{ id: 'north' }];
    expect(withDefaults({ video: { cameras } }, 'UTC').video.cameras).toEqual(cameras);
  });

  it('what is in store, is left as it was', () => {
    const stored = Object.freeze({ visits: Object.freeze({}) });
    expect(withDefaults(stored, 'UTC').visits.gap_seconds).toBe(60);
    expect(stored.visits).toEqual({});
  });
});
