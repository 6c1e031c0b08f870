import { describe, expect, it } from 'vitest';
import { localStamp } from './local-stamp.js';

describe('localStamp', () => {
  it.each([
    ['Europe/Prague', '2026-05-02_011530'],
    ['UTC', '2026-05-01_231530'],
    ['Australia/Lord_Howe', '2026-05-02_094530'],
  ])('an instant in %s, is %s', (zone, stamp) => {
    expect(localStamp(zone, Date.parse('2026-05-01T23:15:30.900Z'))).toBe(stamp);
  });
});
