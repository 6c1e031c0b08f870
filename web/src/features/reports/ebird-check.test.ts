import { describe, expect, it } from 'vitest';
import { checkEbirdFile, type EbirdConcern, isOptional } from './ebird-check';

const good = [
  ...['Great Tit', 'Parus', 'major', '2', '4 visits to a feeder camera', 'Our garden', '48.1', '11.5'],
  ...['05/01/2026', '06:30', 'BY', 'DE', 'Stationary', '1', '600', 'N', '', '', 'Recorded by Birdhub'],
];

/** A row with other cells at some places. */
function row(changes: Readonly<Record<number, string>> = {}): string {
  return good.map((cell, column) => changes[column] ?? cell).join(',');
}

const fileOf = (...rows: string[]) => rows.map((one) => `${one}\r\n`).join('');

const concernsOf = (file: string) => checkEbirdFile(file).findings.map(({ concern }) => concern);

describe('checkEbirdFile', () => {
  it('a file as eBird wants it, is counted and raises nothing', () => {
    const file = fileOf(row(), row({ 0: 'Wren' }), row({ 8: '05/02/2026' }));
    expect(checkEbirdFile(file)).toEqual({
      rows: 3,
      checklists: 2,
      species: 2,
      bytes: file.length,
      place: 'Our garden, BY, DE, 48.1, 11.5',
      findings: [],
    });
  });

  it('nothing to export, is an empty file and raises nothing', () => {
    expect(checkEbirdFile('')).toEqual({
      rows: 0,
      checklists: 0,
      species: 0,
      bytes: 0,
      place: '',
      findings: [],
    });
  });

  it.each<[string, Readonly<Record<number, string>>, EbirdConcern]>([
    ['a bird without a name', { 0: ' ' }, 'no_name'],
    ['a name that is too long', { 0: 'x'.repeat(65) }, 'too_long'],
    ['no birds at all', { 3: '0' }, 'number'],
    ['no place', { 5: '' }, 'no_location'],
    ['a place that is too long', { 5: 'x'.repeat(61) }, 'too_long'],
    ['a day as others write it', { 8: '2026-05-01' }, 'date'],
    ['a month that is none', { 8: '13/01/2026' }, 'date'],
    ['a time as others write it', { 9: '6:30 AM' }, 'time'],
    ['no time at all', { 14: '0' }, 'duration'],
    ['more than a day', { 14: '1441' }, 'duration'],
    ['no country', { 11: '' }, 'country'],
    ['a country in words', { 11: 'Germany' }, 'country'],
    ['a state in words', { 10: 'Bavaria' }, 'state'],
    ['a protocol that eBird does not know', { 12: 'Feeder' }, 'protocol'],
    ['no coordinates', { 6: '', 7: '' }, 'no_coordinates'],
    ['half of the coordinates', { 7: '' }, 'no_coordinates'],
    ['a bird whose scientific name nobody knows', { 1: '', 2: '' }, 'no_genus'],
  ])('%s, is found', (_, changes, concern) => {
    expect(concernsOf(fileOf(row(), row(changes)))).toContain(concern);
  });

  it('a comma too many, is found and the row looked at no further', () => {
    expect(concernsOf(fileOf(`${row()},`))).toEqual(['columns']);
  });

  it('the same in many rows, is one finding with the first as its example', () => {
    const file = fileOf(row({ 11: 'Germany' }), row({ 11: 'Austria' }), row());
    expect(checkEbirdFile(file).findings).toContainEqual({ concern: 'country', rows: 2, example: 'Germany' });
  });

  it('more than a megabyte, is found; in bytes, not characters', () => {
    const wide = row({ 4: 'ж'.repeat(1_000) });
    const atMost = (rows: number) => fileOf(...Array.from({ length: rows }, () => wide));
    expect(concernsOf(atMost(450))).toEqual([]);
    expect(concernsOf(atMost(500))).toEqual(['too_large']);
  });
});

describe('isOptional', () => {
  it('coordinates, are asked for; a country, is not', () => {
    expect([isOptional('no_coordinates'), isOptional('country')]).toEqual([true, false]);
  });
});
