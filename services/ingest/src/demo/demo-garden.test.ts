import { readFileSync } from 'node:fs';
import { hubLanguages } from '@birdhub/domain/language';
import { describe, expect, it } from 'vitest';
import { planFoods } from './demo-garden.js';

const names: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL('../../../../web/src/i18n/food-names.json', import.meta.url), 'utf8'),
);

describe('planFoods', () => {
  it.each(hubLanguages)(
    'in %s, has no food that a new hub has, by its stored or its shown name',
    (language) => {
      const stored = Object.keys(names['de'] ?? {});
      const shown = Object.values(names[language] ?? {});
      const planned = planFoods(0, language).map(({ name }) => name);
      expect(planned.filter((name) => [...stored, ...shown].includes(name))).toEqual([]);
    },
  );
});
