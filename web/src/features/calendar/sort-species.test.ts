import { describe, expect, it } from 'vitest';
import type { CalendarSpecies } from './calendar-query';
import { sortSpecies } from './sort-species';

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
  it('by total, has the most first and equal ones by name', () => {
    expect(names('total')).toEqual(['Crow', 'Brambling', 'Siskin', 'Swift', 'Ibis']);
  });

  it('by name, goes by the name that is shown', () => {
    const inGerman: Record<string, string> = { Crow: 'Krähe', Swift: 'Mauersegler', Siskin: 'Zeisig' };
    const nameOf = (name: string) => inGerman[name] ?? name;
    expect(names('name', nameOf)).toEqual(['Brambling', 'Ibis', 'Crow', 'Swift', 'Siskin']);
  });

  it('by arrival, has those that stay first and those that never came last', () => {
    expect(names('arrival')).toEqual(['Crow', 'Swift', 'Brambling', 'Siskin', 'Ibis']);
  });
});
