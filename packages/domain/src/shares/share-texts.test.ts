import { describe, expect, it } from 'vitest';
import { hubLanguages } from '../language/index.js';
import { shareTexts } from './share-texts.js';

describe('texts of shared pages', () => {
  it.each(hubLanguages)('%s, has the same placeholders', (language) => {
    const texts = shareTexts[language];
    expect(texts.sharedFrom).toContain('{hub}');
    expect(texts.validUntil).toContain('{date}');
    expect(texts.more).toContain('#');
  });
});
