import type { Report, ReportDay, ReportSpecies } from '../monthly-report/report.js';

/** Returns a species of a report, by default a great tit. */
export function aSpecies(given: Partial<ReportSpecies> = {}): ReportSpecies {
  return {
    id: 1,
    name: 'Great Tit',
    scientificName: 'Parus major',
    visits: 3,
    individuals: 4,
    maxSimultaneous: 2,
    days: 1,
    first: { day: '2026-03-02', time: '07:05' },
    last: { day: '2026-03-02', time: '16:40' },
    isNew: false,
    ...given,
  };
}

/** Returns a day of a report with visits by hour. */
export function aDay(day: string, byHour: Readonly<Record<number, number>> = {}): ReportDay {
  const hours = Array.from({ length: 24 }, (_, hour) => byHour[hour] ?? 0);
  return { day, hours, visits: hours.reduce((sum, visits) => sum + visits, 0), temperature: null };
}

/** Returns a report, by default of two days with one species. */
export function aReport(given: Partial<Report> = {}): Report {
  return {
    language: 'en',
    units: 'metric',
    title: '1–2 March 2026',
    span: '1–2 March 2026',
    zone: 'Europe/London',
    hub: 'Birdhub',
    place: 'Back garden',
    upTo: Date.UTC(2026, 2, 3),
    unfinished: undefined,
    totals: {
      visits: 3,
      individuals: 4,
      detections: 5,
      recordings: 3,
      daysWithVisits: 1,
      durationMs: 90_000,
      genericVisits: 0,
    },
    species: [aSpecies()],
    days: [aDay('2026-03-01'), aDay('2026-03-02', { 7: 1, 16: 2 })],
    ...given,
  };
}
