import { describe, expect, it } from 'vitest';
import type { CalendarSpecies } from './calendar-queries';
import { presenceOf, type Season, seasonsOf, sortSpecies, splitAtNewYear } from './seasons';

/** Counts of a year from January, a digit a month. */
const year = (digits: string) => [...digits.replaceAll(' ', '')].map(Number);
const season = (first: number, last: number): Season => ({ first, last });

describe('seasonsOf', () => {
  it.each([
    ['no visits, give no season', '000 000 000 000', []],
    ['visits in every month, span the whole year', '111 111 111 111', [season(0, 11)]],
    ['one or two months without visits, still give the whole year', '100 110 101 111', [season(0, 11)]],
    ['three months without visits, count as a departure', '111 111 110 001', [season(11, 7)]],
    ['a summer, runs from arrival to departure', '000 269 510 000', [season(3, 7)]],
    ['an empty month within a summer, does not split it', '000 209 010 000', [season(3, 7)]],
    ['a winter, runs through the turn of the year', '864 100 000 259', [season(9, 3)]],
    ['a winter that ends in January, runs through the turn of the year', '800 000 000 059', [season(10, 0)]],
    ['a winter that begins in January, stays within the year', '852 000 000 000', [season(0, 2)]],
    ['spring and autumn, give two seasons', '000 510 003 400', [season(3, 4), season(8, 9)]],
    ['a summer and a winter, are ordered by arrival', '100 003 400 001', [season(5, 6), season(11, 0)]],
    ['a single visit, gives one month', '000 000 010 000', [season(7, 7)]],
    ['a single visit in December, gives one month', '000 000 000 001', [season(11, 11)]],
    [
      'January to December with a gap in summer, is one season through New Year',
      '111 000 011 111',
      [season(7, 2)],
    ],
  ])('%s', (_, digits, seasons) => {
    expect(seasonsOf(year(digits))).toEqual(seasons);
  });
});

describe('presenceOf', () => {
  it.each([
    ['no visits, give undefined', '000 000 000 000', undefined],
    ['two visits, give a guest', '000 000 020 000', 'guest'],
    ['visits all year, give a resident', '111 111 111 111', 'resident'],
    ['visits around midsummer, give a summer bird', '000 269 510 000', 'summer'],
    ['visits around New Year, give a winter bird', '864 100 000 259', 'winter'],
    ['visits in spring and autumn, give a passage bird', '000 510 003 400', 'passage'],
    ['visits before and after midsummer, give a passage bird', '000 420 033 000', 'passage'],
    [
      'visits in summer and winter with absences between, give a changing presence',
      '520 003 400 001',
      'changing',
    ],
  ])('%s', (_, digits, presence) => {
    expect(presenceOf(year(digits), false)).toBe(presence);
  });

  it.each([
    ['around June', '000 269 510 000', 'winter'],
    ['around New Year', '864 100 000 259', 'summer'],
    ['in spring and autumn', '000 510 003 400', 'passage'],
  ])('visits %s in the south, are classified by the southern seasons', (_, digits, presence) => {
    expect(presenceOf(year(digits), true)).toBe(presence);
  });
});

describe('splitAtNewYear', () => {
  it('a season within a year, is one piece', () => {
    expect(splitAtNewYear(season(3, 7))).toEqual([season(3, 7)]);
  });

  it('a season across New Year, is split there', () => {
    expect(splitAtNewYear(season(10, 1))).toEqual([season(0, 1), season(10, 11)]);
  });
});

function createSpecies(name: string, digits: string): CalendarSpecies {
  const monthly_counts = [...digits].map(Number);
  const total = monthly_counts.reduce((sum, count) => sum + count, 0);
  return { id: name.length, name, image_url: null, monthly_counts, total };
}

const species = [
  createSpecies('Siskin', '110000000011'),
  createSpecies('Swift', '000011110000'),
  createSpecies('Crow', '111111111111'),
  createSpecies('Ibis', '000000000000'),
  createSpecies('Brambling', '110000000012'),
];

const names = (sort: 'total' | 'name' | 'arrival', nameOf = (name: string) => name) =>
  sortSpecies(species, sort, nameOf).map(({ name }) => name);

describe('sortSpecies', () => {
  it('by total, puts the most visits first and sorts ties by name', () => {
    expect(names('total')).toEqual(['Crow', 'Brambling', 'Siskin', 'Swift', 'Ibis']);
  });

  it('by name, uses the displayed name', () => {
    const inGerman: Record<string, string> = { Crow: 'Krähe', Swift: 'Mauersegler', Siskin: 'Zeisig' };
    const nameOf = (name: string) => inGerman[name] ?? name;
    expect(names('name', nameOf)).toEqual(['Brambling', 'Ibis', 'Crow', 'Swift', 'Siskin']);
  });

  it('by arrival, puts residents first and absent species last', () => {
    expect(names('arrival')).toEqual(['Crow', 'Swift', 'Brambling', 'Siskin', 'Ibis']);
  });
});
