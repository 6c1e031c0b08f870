import { describe, expect, it } from 'vitest';
import { foldText, rankSpecies, type Species, toFindable } from './rank-species';

const german: Readonly<Record<string, string>> = {
  'Great Tit': 'Kohlmeise',
  'Blue Tit': 'Blaumeise',
  'Green Woodpecker': 'Grünspecht',
};

let lastId = 0;
function bird(name: string, more: Partial<Species> = {}): Species {
  lastId += 1;
  return {
    id: lastId,
    name,
    scientific_name: null,
    parent_id: null,
    group: 'bird',
    created_at: '2026-01-01T00:00:00Z',
    image_url: null,
    description: null,
    active: true,
    count: 0,
    visits: 0,
    heard_only: false,
    ...more,
  };
}

const greatTit = bird('Great Tit', { scientific_name: 'Parus major', visits: 20 });
const blueTit = bird('Blue Tit', { scientific_name: 'Cyanistes caeruleus', visits: 50 });
const woodpecker = bird('Green Woodpecker', { scientific_name: 'Picus viridis' });
const titmouse = bird('Tufted Titmouse', { active: false, visits: 90 });
const all = toFindable([greatTit, blueTit, woodpecker, titmouse], (name) => german[name] ?? name);

const found = (text: string, likely?: readonly number[]) =>
  rankSpecies(all, text, likely).map(({ species }) => species.name);

describe('foldText', () => {
  it.each([
    ['Grünspecht', 'grunspecht'],
    ["Anna's Hummingbird", 'annas hummingbird'],
    ['Black-capped  Chickadee', 'black capped chickadee'],
    ['Weißstorch', 'weissstorch'],
    ['Чёрный дрозд', 'черныи дрозд'],
  ])('%s, is folded to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('rankSpecies', () => {
  it.each([
    ['in the language of the page without diacritics', 'grunsp', ['Green Woodpecker']],
    ['in English', 'green w', ['Green Woodpecker']],
    ['in Latin', 'PARUS', ['Great Tit']],
    ['by words in any order', 'major par', ['Great Tit']],
    ['from the middle of a word', 'meise', ['Blue Tit', 'Great Tit']],
    ['without a match', 'ostrich', []],
  ])('a name typed %s, finds the matching species', (_case, text, names) => {
    expect(found(text)).toEqual(names);
  });

  it('an empty text, lists active species first and common ones before others', () => {
    expect(found('')).toEqual(['Blue Tit', 'Great Tit', 'Green Woodpecker', 'Tufted Titmouse']);
  });

  it('an empty text with likely species, starts with these in their order', () => {
    expect(found('', [titmouse.id, greatTit.id]).slice(0, 2)).toEqual(['Tufted Titmouse', 'Great Tit']);
  });

  it('a match at the start of a name, comes before a likely species that contains it', () => {
    expect(found('tit', [blueTit.id])).toEqual(['Blue Tit', 'Great Tit', 'Tufted Titmouse']);
    expect(found('great', [blueTit.id])).toEqual(['Great Tit']);
    expect(found('t', [greatTit.id])[0]).toBe('Tufted Titmouse');
  });
});
