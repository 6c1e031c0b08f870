import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { findEbirdViolations } from '../testing/ebird-rules.js';

const hour = 3_600_000;
const names = [
  'Great Tit',
  'European Robin',
  'Eurasian "Blue" Tit, young',
  '=SUM(A1)',
  'Зяблик',
  'constructor',
  'Bird',
  'Unknown',
];

describe('an export for eBird', () => {
  let reports: TestReports;
  const days = 'start_time=2026-03-01T00:00:00Z&end_time=2026-03-20T00:00:00Z';
  const fetchExport = async (query: string, caller = 'viewer') => {
    const headers = { 'x-hub-caller': caller };
    const url = `/api/ui/timeline/export?format=ebird&${query}`;
    return (await reports.app.inject({ url, headers })).body;
  };
  /** Returns the different values of a column. */
  const valuesOf = (file: string, column: number) => [
    ...new Set(file.split('\r\n').flatMap((row) => (row ? [row.split(',')[column]] : []))),
  ];

  beforeAll(async () => {
    reports = await createTestReports();
    for (let number = 0; number < 60; number += 1) {
      const start = Date.UTC(2026, 2, 7, 20) + number * hour;
      const detections = names
        .filter((_, at) => (number + at) % 3 === 0)
        .flatMap((speciesName) => [aDetection({ speciesName }), aDetection({ speciesName, trackId: 'b' })]);
      await reports.writer.post(aRecording({ start, detections }), 'test');
    }
  });
  afterAll(() => reports.close());

  it.each([
    ['UTC', {}],
    ['America/New_York', { country: 'us', state: 'US-NY', location_name: 'Back yard, "north"\nside' }],
    ['Australia/Lord_Howe', { country: 'AU', state: 'NSW', complete_checklist: true }],
  ])('of days of %s with the settings %j, breaks none of its rules', async (timezone, ebird) => {
    await reports.setSettings({
      general: { timezone },
      ebird,
      secrets: { latitude: ' 42.45', longitude: '-76.47' },
    });
    const file = await fetchExport(days);
    expect(file.split('\r\n').length).toBeGreaterThan(10);
    expect(findEbirdViolations(file)).toEqual([]);
    expect(file).not.toMatch(/^(Bird|Unknown),/m);
  });

  it.each([
    ['viewer', '42.46', '-76.49'],
    ['mcp', '42.46', '-76.49'],
    ['reader', '42.4571234', '-76.4871234'],
    ['contributor', '42.4571234', '-76.4871234'],
    ['admin', '42.4571234', '-76.4871234'],
  ])('for the caller %s, has the place %s, %s', async (caller, latitude, longitude) => {
    await reports.setSettings({
      science: { coordinate_digits: 2 },
      secrets: { latitude: '42.4571234', longitude: '-76.4871234' },
    });
    const file = await fetchExport(days, caller);
    expect([valuesOf(file, 6), valuesOf(file, 7)]).toEqual([[latitude], [longitude]]);
  });

  it('for a viewer of a hub without a place, has none', async () => {
    await reports.setSettings({ secrets: { latitude: '', longitude: '-76.47' } });
    const file = await fetchExport(days);
    expect([valuesOf(file, 6), valuesOf(file, 7)]).toEqual([[''], ['']]);
  });

  it.each([
    ['', 'Y'],
    ['&min_confidence=0.1', 'N'],
    ['&camera_id=garden', 'N'],
    ['&time_of_day=night', 'N'],
    ['&source=video', 'N'],
  ])('of complete checklists with the filters "%s", says %s for all birds reported', async (filters, all) => {
    await reports.setSettings({ ebird: { complete_checklist: true } });
    expect(valuesOf(await fetchExport(days + filters), 15)).toEqual([all]);
  });

  it('with rows that eBird would refuse, is rejected by the check in these tests', () => {
    const good = 'Great Tit,Parus,major,1,,Yard,,,05/01/2026,08:05,NY,US,Stationary,1,55,N,,,\r\n';
    expect(findEbirdViolations(good)).toEqual([]);
    const bad = [
      good.repeat(2),
      good.replace('05/01/2026', '2026-05-01'),
      good.replace('Great Tit', '"Great Tit"'),
      good.replace(',N,,,', ',N,,'),
      good + good.replace('Great Tit', 'Robin').replace('08:05', '09:05'),
      good.replace(',55,', ',1500,'),
    ];
    for (const file of bad) expect(findEbirdViolations(file)).not.toEqual([]);
  });
});
