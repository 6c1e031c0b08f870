import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../testing/render-part';
import { MonthBars, ShareList } from './charts';
import de from './texts/de.json';
import en from './texts/en.json';
import ru from './texts/ru.json';

afterEach(cleanup);

describe('MonthBars', () => {
  it.each([
    ['en', en, 1_234, 'January: 1,234 visits'],
    ['de', de, 1_234, 'Januar: 1.234 Besuche'],
    ['ru', ru, 12_001, 'январь: 12 001 визит'],
  ])('in %s, writes thousands with the separator of the language', async (language, texts, count, title) => {
    await renderPart(<MonthBars counts={[count]} />, { species: texts }, {}, { language });
    screen.getByTitle(title);
  });
});

describe('ShareList', () => {
  it('a long name, wraps instead of being cut', async () => {
    const name = 'от 10 °C до 15 °C';
    await renderPart(<ShareList rows={[{ name, count: 1 }]} />, { species: ru }, {}, { language: 'ru' });
    expect(screen.getByText(name).dataset['truncate']).toBeUndefined();
  });
});
