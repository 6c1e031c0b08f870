import { localTime } from '@birdhub/shared/time';
import { describe, expect, it } from 'vitest';
import { type AlertRule, ruleDefaults, type StoredRule } from './alert-rule.js';
import {
  type Bird,
  type BirdHistory,
  type EarlierMessage,
  isQuiet,
  refusalOf,
  weekdayOf,
} from './evaluate-rule.js';

const family = 40;
const robin = 7;
const day = 86_400_000;
const minute = 60_000;
const at = (text: string) => Date.parse(text);
const noon = at('2026-05-01T12:00:00Z');

interface Given {
  readonly rule?: Partial<AlertRule>;
  readonly bird?: Partial<Bird>;
  readonly history?: Partial<BirdHistory>;
  readonly earlier?: readonly Partial<EarlierMessage>[];
  readonly zone?: string;
  readonly now?: number;
  readonly hub?: { cooldownMs?: number; quietStart?: string; quietEnd?: string };
}

/** A robin at noon on a Friday, seen yesterday, and a rule that matches each visit. */
function decide({ rule, bird, history, earlier = [], zone = 'UTC', now, hub }: Given): string {
  const whole: StoredRule = { ...ruleDefaults, id: 1, name: 'A rule', when: 'any_visit', ...rule };
  const seen: Bird = {
    speciesLine: [robin, family, 1],
    group: 'bird',
    isCounted: true,
    at: noon,
    cameraId: 'garden',
    sourceId: null,
    confidence: 0.8,
    count: 1,
    ...bird,
  };
  const known = { previousAt: noon - day, daysSeen: 100, isInRegion: true, ...history };
  const messages = earlier.map((one) => ({ ruleId: 1, about: noon - 1, at: one.about ?? noon - 1, ...one }));
  const limits = { cooldownMs: 0, quietStart: '', quietEnd: '', ...hub };
  return refusalOf(whole, seen, known, messages, { now: now ?? seen.at, zone, hub: limits }) ?? 'applies';
}

const previous = (text: string) => ({ previousAt: at(text) });

describe('a rule and a bird', () => {
  it.each<[string, Given, string]>([
    ['each visit', {}, 'applies'],
    ['a rule that is switched off', { rule: { enabled: false } }, 'disabled'],
    ['a rule about the detector', { rule: { when: 'detector_silent' } }, 'not_a_bird_rule'],
    ['a rule about storage', { rule: { when: 'storage_short' } }, 'not_a_bird_rule'],
    ['a rule about sources', { rule: { when: 'source_silent' } }, 'not_a_bird_rule'],
    ['the species of the rule', { rule: { species: [robin] } }, 'applies'],
    ['a species of the family of the rule', { rule: { species: [family] } }, 'applies'],
    ['another species', { rule: { species: [8] } }, 'species'],
    [
      'a name without a species, where the rule names some',
      { rule: { species: [8] }, bird: { speciesLine: [] } },
      'species',
    ],
    ['a name without a species, where it names none', { bird: { speciesLine: [] } }, 'applies'],
    ['a species that is left out', { rule: { except_species: [robin] } }, 'except_species'],
    ['a species of a family that is left out', { rule: { except_species: [family] } }, 'except_species'],
    [
      'a species that is named and of a family left out',
      { rule: { species: [robin], except_species: [family] } },
      'except_species',
    ],
    ['the camera of the rule', { rule: { cameras: ['garden', 'yard'] } }, 'applies'],
    ['another camera', { rule: { cameras: ['yard'] } }, 'camera'],
    [
      'no camera, where the rule names one',
      { rule: { cameras: ['yard'] }, bird: { cameraId: null } },
      'camera',
    ],
    ['the source of the rule', { rule: { sources: [3] }, bird: { sourceId: 3 } }, 'applies'],
    ['another source', { rule: { sources: [3] }, bird: { sourceId: 4 } }, 'source'],
    ['a detector that posts itself, where the rule names a source', { rule: { sources: [3] } }, 'source'],
    ['just enough confidence', { rule: { min_confidence: 0.8 } }, 'applies'],
    ['too little confidence', { rule: { min_confidence: 0.81 } }, 'confidence'],
    [
      'an unknown confidence, where one is wanted',
      { rule: { min_confidence: 0.1 }, bird: { confidence: null } },
      'confidence',
    ],
    ['an unknown confidence, where none is', { bird: { confidence: null } }, 'applies'],
    ['enough birds', { rule: { min_count: 3 }, bird: { count: 3 } }, 'applies'],
    ['too few birds', { rule: { min_count: 3 }, bird: { count: 2 } }, 'count'],
    ['a Friday among the weekdays', { rule: { weekdays: [5] } }, 'applies'],
    ['a Friday, not among them', { rule: { weekdays: [6, 7] } }, 'weekday'],
    [
      'a Friday in UTC that is Saturday in Tokyo',
      { rule: { weekdays: [6] }, bird: { at: at('2026-05-01T15:00:00Z') }, zone: 'Asia/Tokyo' },
      'applies',
    ],
    ['within the hours', { rule: { hours_start: '12:00', hours_end: '13:00' } }, 'applies'],
    ['at the end of the hours', { rule: { hours_start: '11:00', hours_end: '12:00' } }, 'hours'],
    [
      'within hours over midnight',
      { rule: { hours_start: '22:00', hours_end: '06:00' }, bird: { at: at('2026-05-02T05:59:00Z') } },
      'applies',
    ],
    ['outside hours over midnight', { rule: { hours_start: '22:00', hours_end: '06:00' } }, 'hours'],
    [
      'hours with equal ends, which are the whole day',
      { rule: { hours_start: '06:00', hours_end: '06:00' } },
      'applies',
    ],
    [
      'hours of the local time',
      { rule: { hours_start: '14:00', hours_end: '15:00' }, zone: 'Europe/Berlin' },
      'applies',
    ],
    [
      'hours after clocks went forward',
      {
        rule: { hours_start: '03:00', hours_end: '04:00' },
        bird: { at: at('2026-03-29T01:30:00Z') },
        zone: 'Europe/Berlin',
      },
      'applies',
    ],
    [
      'an hour that clocks skip',
      {
        rule: { hours_start: '02:00', hours_end: '03:00' },
        bird: { at: at('2026-03-29T01:30:00Z') },
        zone: 'Europe/Berlin',
      },
      'hours',
    ],
    [
      'an hour that comes twice, the first time',
      {
        rule: { hours_start: '02:00', hours_end: '03:00' },
        bird: { at: at('2026-10-25T00:30:00Z') },
        zone: 'Europe/Berlin',
      },
      'applies',
    ],
    [
      'an hour that comes twice, the second time',
      {
        rule: { hours_start: '02:00', hours_end: '03:00' },
        bird: { at: at('2026-10-25T01:30:00Z') },
        zone: 'Europe/Berlin',
      },
      'applies',
    ],

    ['first ever, never seen', { rule: { when: 'first_ever' }, history: { previousAt: null } }, 'applies'],
    [
      'first ever, seen years ago',
      { rule: { when: 'first_ever' }, history: previous('2016-01-01T00:00:00Z') },
      'not_first_ever',
    ],
    [
      'first ever, notified of a bird that came later',
      { rule: { when: 'first_ever' }, history: { previousAt: null }, earlier: [{ about: noon + minute }] },
      'already_sent',
    ],
    [
      'first ever, notified by another rule',
      { rule: { when: 'first_ever' }, history: { previousAt: null }, earlier: [{ ruleId: 2 }] },
      'applies',
    ],
    [
      'first ever, of something like "Bird"',
      { rule: { when: 'first_ever' }, bird: { isCounted: false }, history: { previousAt: null } },
      'not_counted',
    ],
    [
      'first of the year, seen last year',
      { rule: { when: 'first_of_year' }, history: previous('2025-12-31T12:00:00Z') },
      'applies',
    ],
    [
      'first of the year, seen on New Year',
      { rule: { when: 'first_of_year' }, history: previous('2026-01-01T00:00:00Z') },
      'not_first_of_year',
    ],
    [
      'first of the year in Tokyo, still last year in UTC',
      {
        rule: { when: 'first_of_year' },
        bird: { at: at('2025-12-31T15:30:00Z') },
        history: previous('2025-12-31T14:00:00Z'),
        zone: 'Asia/Tokyo',
      },
      'applies',
    ],
    [
      'the same in UTC',
      {
        rule: { when: 'first_of_year' },
        bird: { at: at('2025-12-31T15:30:00Z') },
        history: previous('2025-12-31T14:00:00Z'),
      },
      'not_first_of_year',
    ],
    [
      'first of the year, never seen',
      { rule: { when: 'first_of_year' }, history: { previousAt: null } },
      'applies',
    ],
    [
      'first of the year, notified last year',
      {
        rule: { when: 'first_of_year' },
        bird: { at: at('2026-01-01T00:10:00Z') },
        history: previous('2025-12-31T23:00:00Z'),
        earlier: [{ about: at('2025-12-31T23:00:00Z') }],
      },
      'applies',
    ],
    [
      'first of the year, notified of one that came later',
      { rule: { when: 'first_of_year' }, history: { previousAt: null }, earlier: [{ about: noon + minute }] },
      'already_sent',
    ],
    [
      'first of the season, away long enough',
      { rule: { when: 'first_of_season', after_days: 30 }, history: previous('2026-04-01T23:59:00Z') },
      'applies',
    ],
    [
      'first of the season, a day too short',
      { rule: { when: 'first_of_season', after_days: 30 }, history: previous('2026-04-02T00:00:00Z') },
      'not_first_of_season',
    ],
    [
      'first of the season, never seen',
      { rule: { when: 'first_of_season', after_days: 30 }, history: { previousAt: null } },
      'applies',
    ],
    ['first of the day, seen yesterday', { rule: { when: 'first_of_day' } }, 'applies'],
    [
      'first of the day, seen this morning',
      { rule: { when: 'first_of_day' }, history: previous('2026-05-01T00:00:00Z') },
      'not_first_of_day',
    ],
    [
      'first of the day, seen a minute before midnight',
      {
        rule: { when: 'first_of_day' },
        bird: { at: at('2026-05-01T00:00:00Z') },
        history: previous('2026-04-30T23:59:00Z'),
      },
      'applies',
    ],
    [
      'first of the day at home, same day in UTC',
      {
        rule: { when: 'first_of_day' },
        bird: { at: at('2026-05-01T22:30:00Z') },
        history: previous('2026-05-01T21:30:00Z'),
        zone: 'Europe/Berlin',
      },
      'applies',
    ],
    [
      'first of a day of 23 hours',
      {
        rule: { when: 'first_of_day' },
        bird: { at: at('2026-03-29T21:59:00Z') },
        history: previous('2026-03-28T23:01:00Z'),
        zone: 'Europe/Berlin',
      },
      'not_first_of_day',
    ],
    [
      'first of the day after one of 23 hours',
      {
        rule: { when: 'first_of_day' },
        bird: { at: at('2026-03-29T22:00:00Z') },
        history: previous('2026-03-29T21:59:00Z'),
        zone: 'Europe/Berlin',
      },
      'applies',
    ],
    [
      'within a day of 25 hours',
      {
        rule: { when: 'first_of_day' },
        bird: { at: at('2026-10-25T22:59:00Z') },
        history: previous('2026-10-24T22:00:00Z'),
        zone: 'Europe/Berlin',
      },
      'not_first_of_day',
    ],
    [
      'first of the day, notified of one that came later',
      { rule: { when: 'first_of_day' }, earlier: [{ about: noon + minute }] },
      'already_sent',
    ],
    [
      'first of the day, notified yesterday',
      { rule: { when: 'first_of_day' }, earlier: [{ about: noon - day }] },
      'applies',
    ],
    [
      'returns, away long enough',
      { rule: { when: 'returns_after', after_days: 14 }, history: previous('2026-04-17T12:00:00Z') },
      'applies',
    ],
    [
      'returns, not away long enough',
      { rule: { when: 'returns_after', after_days: 14 }, history: previous('2026-04-18T00:00:00Z') },
      'not_away_long_enough',
    ],
    [
      'returns, never seen',
      { rule: { when: 'returns_after' }, history: { previousAt: null } },
      'not_away_long_enough',
    ],
    [
      'returns, notified of one that came later',
      {
        rule: { when: 'returns_after', after_days: 14 },
        history: previous('2026-04-01T12:00:00Z'),
        earlier: [{ about: noon + minute }],
      },
      'already_sent',
    ],
    [
      'rare here, on few days',
      { rule: { when: 'rare_here', rare_days: 3 }, history: { daysSeen: 3 } },
      'applies',
    ],
    [
      'rare here, on one day too many',
      { rule: { when: 'rare_here', rare_days: 3 }, history: { daysSeen: 4 } },
      'not_rare_here',
    ],
    [
      'rare in the region, not reported',
      { rule: { when: 'rare_in_region' }, history: { isInRegion: false } },
      'applies',
    ],
    ['rare in the region, reported', { rule: { when: 'rare_in_region' } }, 'not_rare_in_region'],
    [
      'rare in the region, without a list',
      { rule: { when: 'rare_in_region' }, history: { isInRegion: null } },
      'region_unknown',
    ],
    ['a favourite', { rule: { when: 'favourite_species', species: [robin] } }, 'applies'],
    ['no favourite', { rule: { when: 'favourite_species', species: [8] } }, 'species'],
    [
      'another animal',
      { rule: { when: 'other_animal' }, bird: { group: 'other_animal', isCounted: false } },
      'applies',
    ],
    ['a bird, where other animals are wanted', { rule: { when: 'other_animal' } }, 'no_other_animal'],
    [
      'another animal, where each visit is wanted',
      { bird: { group: 'other_animal', isCounted: false } },
      'applies',
    ],

    ['quiet hours of the hub', { hub: { quietStart: '11:00', quietEnd: '13:00' } }, 'quiet_hours'],
    [
      'quiet hours of the hub over midnight',
      { hub: { quietStart: '22:00', quietEnd: '07:00' }, bird: { at: at('2026-05-02T06:59:00Z') } },
      'quiet_hours',
    ],
    [
      'quiet hours of the hub, that the rule lifts',
      {
        rule: { quiet_hours_start: '', quiet_hours_end: '' },
        hub: { quietStart: '11:00', quietEnd: '13:00' },
      },
      'applies',
    ],
    [
      'quiet hours of the rule',
      { rule: { quiet_hours_start: '12:00', quiet_hours_end: '12:01' } },
      'quiet_hours',
    ],
    [
      'quiet when the message is sent, not when the bird came',
      { rule: { quiet_hours_start: '12:10', quiet_hours_end: '13:00' }, now: noon + 10 * minute },
      'quiet_hours',
    ],
    [
      'within the cooldown of the hub, by another rule',
      { hub: { cooldownMs: 5 * minute }, earlier: [{ ruleId: 2, at: noon - 5 * minute + 1 }] },
      'cooldown',
    ],
    [
      'after the cooldown of the hub',
      { hub: { cooldownMs: 5 * minute }, earlier: [{ at: noon - 5 * minute }] },
      'applies',
    ],
    [
      'within the cooldown of the rule',
      { rule: { cooldown_seconds: 60 }, earlier: [{ at: noon - minute + 1 }] },
      'cooldown',
    ],
    [
      'within the cooldown of the rule, by another rule',
      { rule: { cooldown_seconds: 60 }, earlier: [{ ruleId: 2 }], hub: { cooldownMs: minute } },
      'applies',
    ],
    [
      'a rule without cooldown in a hub with one',
      { rule: { cooldown_seconds: 0 }, earlier: [{}], hub: { cooldownMs: minute } },
      'applies',
    ],
    [
      'once a day, notified this morning',
      { rule: { once_per: 'day' }, earlier: [{ about: at('2026-05-01T00:00:00Z') }] },
      'once_per_day',
    ],
    [
      'once a day, notified last night',
      { rule: { once_per: 'day' }, earlier: [{ about: at('2026-04-30T23:59:00Z') }] },
      'applies',
    ],
    [
      'once a day, notified by another rule',
      { rule: { once_per: 'day' }, earlier: [{ ruleId: 2 }] },
      'applies',
    ],
    [
      'once a week, notified on Monday',
      { rule: { once_per: 'week' }, earlier: [{ about: at('2026-04-27T00:00:00Z') }] },
      'once_per_week',
    ],
    [
      'once a week, notified on Sunday before',
      { rule: { once_per: 'week' }, earlier: [{ about: at('2026-04-26T23:59:00Z') }] },
      'applies',
    ],
    [
      'once a week, Sunday at home and Monday in UTC',
      {
        rule: { once_per: 'week' },
        earlier: [{ about: at('2026-04-27T03:00:00Z') }],
        zone: 'America/New_York',
      },
      'applies',
    ],
  ])('%s', (_, given, expected) => {
    expect(decide(given)).toBe(expected);
  });
});

describe('isQuiet', () => {
  it.each([
    ['within a day, before them', '13:00', '15:00', '12:59', false],
    ['within a day, at their start', '13:00', '15:00', '13:00', true],
    ['within a day, at their end', '13:00', '15:00', '15:00', false],
    ['over midnight, in the evening', '22:00', '07:00', '22:00', true],
    ['over midnight, at night', '22:00', '07:00', '00:00', true],
    ['over midnight, in the morning', '22:00', '07:00', '07:00', false],
    ['over midnight, by day', '22:00', '07:00', '21:59', false],
    ['with equal ends', '08:00', '08:00', '08:00', false],
    ['without an end', '08:00', '', '09:00', false],
    ['without a start', '', '08:00', '07:00', false],
  ])('%s, holds or does not', (_, start, end, time, expected) => {
    expect(isQuiet([start, end], at(`2026-05-01T${time}:00Z`), 'UTC')).toBe(expected);
  });

  it('in another zone, uses its local time', () => {
    expect(isQuiet(['22:00', '23:00'], at('2026-05-01T20:30:00Z'), 'Europe/Berlin')).toBe(true);
    expect(localTime('Asia/Kolkata', at('2026-05-01T20:00:00Z'))).toBe('01:30');
  });
});

describe('weekdayOf', () => {
  it.each([
    ['2026-05-01', 5],
    ['2026-05-03', 7],
    ['2026-05-04', 1],
  ])('%s, is %i', (given, expected) => {
    expect(weekdayOf(given)).toBe(expected);
  });
});
