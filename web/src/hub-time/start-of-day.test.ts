import { describe, expect, it } from 'vitest';
import { startOfDay } from './start-of-day';

describe('startOfDay', () => {
  it.each([
    ['UTC', '2026-05-04', '2026-05-04T00:00:00.000Z'],
    ['Europe/Berlin', '2026-05-04', '2026-05-03T22:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-05-04', '2026-05-03T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-05-04', '2026-05-03T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-05-04', '2026-05-04T11:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z'],
    // The clock goes from 23:59:59 to 01:00.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('in %s, %s begins at %s', (zone, day, instant) => {
    expect(startOfDay(day, zone).toISOString()).toBe(instant);
  });
});
