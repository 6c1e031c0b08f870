import { describe, expect, it } from 'vitest';
import { checkEbirdFile, type EbirdConcern, isOptional } from './ebird-check';

const good = [
  ...['Great Tit', 'Parus', 'major', '2', '4 visits to a feeder camera', 'Our garden', '48.1', '11.5'],
  ...['05/01/2026', '06:30', 'BY', 'DE', 'Stationary', '1', '600', 'N', '', '', 'Recorded by Birdhub'],
];

/** A row with some cells replaced. */
function row(changes: Readonly<Record<number, string>> = {}): string {
  return good.map((cell, column) => changes[column] ?? cell).join(',');
}

const fileOf = (...rows: string[]) => rows.map((one) => `${one}\r\n`).join('');

const concernsOf = (file: string) => checkEbirdFile(file).findings.map(({ concern }) => concern);

describe('checkEbirdFile', () => {
  it('a valid file, is counted without findings', () => {
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

  it('an empty file, has zero counts and no findings', () => {
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
    ['a count of zero', { 3: '0' }, 'number'],
    ['no place', { 5: '' }, 'no_location'],
    ['a place that is too long', { 5: 'x'.repeat(61) }, 'too_long'],
    ['a date in another format', { 8: '2026-05-01' }, 'date'],
    ['a month that does not exist', { 8: '13/01/2026' }, 'date'],
    ['a time in another format', { 9: '6:30 AM' }, 'time'],
    ['a duration of zero', { 14: '0' }, 'duration'],
    ['a duration of more than a day', { 14: '1441' }, 'duration'],
    ['no country', { 11: '' }, 'country'],
    ['a country written out', { 11: 'Germany' }, 'country'],
    ['a state written out', { 10: 'Bavaria' }, 'state'],
    ['a protocol unknown to eBird', { 12: 'Feeder' }, 'protocol'],
    ['no coordinates', { 6: '', 7: '' }, 'no_coordinates'],
    ['half of the coordinates', { 7: '' }, 'no_coordinates'],
    ['a bird without a scientific name', { 1: '', 2: '' }, 'no_genus'],
  ])('%s, is reported', (_, changes, concern) => {
    expect(concernsOf(fileOf(row(), row(changes)))).toContain(concern);
  });

  it('an extra comma, is reported and ends the check of the row', () => {
    expect(concernsOf(fileOf(`${row()},`))).toEqual(['columns']);
  });

  it('the same problem in many rows, is one finding with the first as its example', () => {
    const file = fileOf(row({ 11: 'Germany' }), row({ 11: 'Austria' }), row());
    expect(checkEbirdFile(file).findings).toContainEqual({ concern: 'country', rows: 2, example: 'Germany' });
  });

  it('a file of more than a megabyte, is reported by bytes and not by characters', () => {
    const wide = row({ 4: 'ж'.repeat(1_000) });
    const fileWith = (rows: number) => fileOf(...Array.from({ length: rows }, () => wide));
    expect(concernsOf(fileWith(450))).toEqual([]);
    expect(concernsOf(fileWith(500))).toEqual(['too_large']);
  });
});

describe('isOptional', () => {
  it('missing coordinates, are optional and a missing country is not', () => {
    expect([isOptional('no_coordinates'), isOptional('country')]).toEqual([true, false]);
  });
});
