import { type HubLanguage, hubLanguages, type Plural } from '@birdhub/domain/language';
import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { Sheet } from './drawing/sheet.js';
import { frame, styles } from './drawing/theme.js';
import { ReportFormat } from './format.js';
import { reportTexts } from './report-texts.js';

const placeholders = (text: string) => (text.match(/\{\w+\}|#/g) ?? []).sort();
const isText = (value: unknown): value is string => typeof value === 'string';
const isPlural = (value: object): value is Plural => 'other' in value;

/** The texts by path; plurals as objects of their forms. */
function listTexts(value: object, path = ''): [string, string | Plural][] {
  return Object.entries(value).flatMap(([key, part]): [string, string | Plural][] => {
    const at = `${path}.${key}`;
    if (isText(part) || isPlural(part)) return [[at, part]];
    return listTexts(part, at);
  });
}

const english = new Map(listTexts(reportTexts.en));

describe.each(hubLanguages)('texts of reports in %s', (language: HubLanguage) => {
  const texts = listTexts(reportTexts[language]);

  it('compared with English, have the same placeholders and every plural form', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [path, text] of texts) {
      const model = english.get(path) ?? '';
      if (isText(text)) expect([path, placeholders(text)]).toEqual([path, placeholders(String(model))]);
      else {
        expect([path, Object.keys(text).sort()]).toEqual([path, [...pluralCategories].sort()]);
        const wanted = placeholders((model as Plural).other ?? '');
        expect([path, placeholders(text.other ?? '')]).toEqual([path, wanted]);
      }
    }
  });

  it('in their places, fit', () => {
    const sheet = new Sheet(new PDFDocument({ margin: 0 }), new ReportFormat(language));
    const { columns, summary, newHere, birds } = reportTexts[language];
    // Number columns are 46 points apart, those of sightings 76.
    for (const key of ['visits', 'share', 'birds', 'atOnce', 'days'] as const)
      expect(sheet.measure(columns[key], styles.columnHead), columns[key]).toBeLessThan(46);
    expect(sheet.measure(columns.scientificName, styles.columnHead)).toBeLessThan(130);
    for (const key of ['first', 'last'] as const)
      expect(sheet.measure(columns[key], styles.columnHead)).toBeLessThan(72);
    for (const label of [newHere, ...Object.values(birds)])
      expect(sheet.measure(label, styles.note)).toBeLessThan(frame.width / 4 - 8);
    for (const label of Object.values(summary))
      expect(sheet.measure(label, styles.body), label).toBeLessThan(140);
  });
});
