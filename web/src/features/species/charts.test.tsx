import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, it } from 'vitest';
import { renderPart } from '../../testing/render-part';
import { MonthBars } from './charts';
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
