import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../testing/render-part';
import { SpeciesCard } from './species-card';
import texts from './texts/en.json';

afterEach(cleanup);

async function show(thumbhash: string | null) {
  await renderPart(
    <SpeciesCard
      id={1}
      name="Great Tit"
      scientificName={null}
      imageUrl="api/ui/detections/7/crop"
      thumbhash={thumbhash}
      isUrgent
    />,
    { species: texts },
  );
  return document.querySelectorAll('[data-blurred]').length;
}

describe('the card of a species, while its picture loads', () => {
  it('with a blurred copy, shows it', async () => {
    expect(await show('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toBe(1);
  });

  it('without a blurred copy, shows none', async () => {
    expect(await show(null)).toBe(0);
  });
});
