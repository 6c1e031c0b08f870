import { hubLanguages } from '@birdhub/domain/language';
import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { describeDigest } from './digest.js';
import { describeProblem } from './hub-alerts.js';
import { correctionMessage, noticeMessage, testMessage, visitMessage } from './message.js';
import { messageTextsOf } from './message-texts.js';

const base = { baseUrl: '', basePath: '' };
const at = Date.parse('2026-05-01T12:00:00Z');

function settingsIn(language: string) {
  const settings = defaultSettings('UTC');
  Object.assign(settings.general, { language });
  return settings;
}

/** All texts of a language by path. */
function listTexts(value: unknown, place = ''): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  return Object.entries(value as object).flatMap(([key, part]) => listTexts(part, `${place}.${key}`));
}
const placeholdersOf = (text: string) => (text.match(/\{\w+\}|#/g) ?? []).sort().join();
const english = new Map(listTexts(messageTextsOf(settingsIn('en')).texts));
const other = (place: string) => place.replace(/\.(zero|two|few|many)$/, '.other');

describe.each(hubLanguages)('messages in %s', (language) => {
  const settings = settingsIn(language);
  const { texts } = messageTextsOf(settings);

  it('compared with English, have the same placeholders and every plural form', () => {
    for (const [place, text] of listTexts(texts))
      expect([place, placeholdersOf(text)]).toEqual([place, placeholdersOf(english.get(other(place)) ?? '')]);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const forms of [
      texts.firstAfterDays,
      texts.backAfterDays,
      texts.silentDays,
      texts.sourceSilentHours,
    ])
      expect(Object.keys(forms).sort()).toEqual([...pluralCategories].sort());
  });

  it('filled with values, have no placeholders left', () => {
    const context = { settings, base };
    const visit = { speciesName: 'Great Tit', start: at, imageUrl: null, detectionId: 1, cameraId: null };
    const notice = { noticeId: '1', speciesName: 'Great Tit', at, link: null, imagePath: null };
    const message = visitMessage(1, 1, visit, context);
    const outdated = { id: 1, ruleId: 1, channelIds: [], message, about: at };
    const corrected = { speciesName: 'Blue Tit', visitId: 1, videoId: 1, detectionId: 1 };
    const facts = {
      visits: 1_234,
      visitsBefore: 1_000,
      species: Array.from({ length: 12 }, () => ({ name: 'Great Tit', visits: 5 })),
      newSpecies: ['Great Tit'],
      daysWithoutDetector: 5,
      best: { detectionId: 1, videoId: 1, speciesName: 'Great Tit' },
    };
    const written = [
      message,
      noticeMessage({ ...notice, hasImage: false, imageUrl: null }, context),
      correctionMessage(outdated, corrected, context),
      testMessage(at, context),
      ...(['storage_short', 'source_silent', 'detector_silent'] as const).flatMap((trigger) =>
        [61, 180].map((minutes) => describeProblem({ trigger, sourceName: 'Balcony' }, minutes, settings)),
      ),
      ...[1, 7, 30].map((days) => ({ title: 'x', body: describeDigest(facts, days, settings) })),
    ];
    for (const { title, body } of written) expect(`${title}\n${body}`).not.toMatch(/[{}#]|undefined/);
    expect(written[0]?.body).toContain('12:00');
  });
});

describe('the time in messages', () => {
  it.each([
    ['en', '12h', '2:30 PM'],
    ['en', '24h', '14:30'],
    ['en', 'auto', '14:30'],
    ['de', '12h', '2:30 PM'],
  ] as const)('in %s of a hub with a clock of %s, is written as %s', (language, time_format, expected) => {
    const settings = settingsIn(language);
    Object.assign(settings.general, { time_format });
    const { body } = testMessage(Date.parse('2026-05-01T14:30:00Z'), { settings, base });
    expect(body).toContain(expected);
  });
});

describe('the name of a species in messages', () => {
  it('in German, is the German one', () => {
    const visit = { speciesName: 'Great Tit', start: at, imageUrl: null, detectionId: 1, cameraId: null };
    const { title, body } = visitMessage(1, 1, visit, { settings: settingsIn('de'), base });
    expect({ title, body }).toEqual({ title: 'Kohlmeise', body: 'Hier seit 12:00 Uhr · Birdhub' });
  });
});
