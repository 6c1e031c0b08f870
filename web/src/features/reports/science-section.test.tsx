import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { ScienceSection } from './science-section';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const preview = {
  occurrences: 5,
  species: 2,
  deployments: 1,
  recordings: 4,
  reviewed: 0,
  events: 5,
  files: 4,
  bytes: 1_000,
  pictures: 0,
  observations: 5,
  missing: [],
  left_out: [],
};

const show = async (unlocked: boolean) => {
  stubHub({
    'GET /api/ui/settings/check-access': () => ({ body: { unlocked, role: 'contributor' } }),
    'GET /api/ui/species/sightings': () => ({ body: [] }),
    'GET /api/ui/timeline/export/preview': () => ({ body: preview }),
  });
  await renderPart(<ScienceSection />, { reports: texts, components }, {}, { address: '/reports' });
};

describe('ScienceSection', () => {
  test('with the role to read, links to the archive with the chosen options', async () => {
    await show(true);
    await screen.findByText('5 visits by 2 species');
    fireEvent.click(screen.getByRole('radio', { name: 'Darwin Core' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Days of watching' }));
    const link = screen.getByRole('link', { name: 'Download as Darwin Core' });
    const { searchParams } = new URL(link.getAttribute('href') ?? '', 'https://birds.example');
    expect(Object.fromEntries(searchParams)).toMatchObject({ format: 'dwca', core: 'event', media: 'links' });
  });

  test('for a portal without a picture to export, offers no link', async () => {
    await show(true);
    await screen.findByText('5 visits by 2 species');
    fireEvent.click(screen.getByRole('radio', { name: 'iNaturalist' }));
    expect(screen.queryByRole('radiogroup', { name: 'Recordings' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Download as iNaturalist' })).toHaveProperty('disabled', true);
  });

  test('without the role to read, offers to unlock', async () => {
    await show(false);
    await screen.findByRole('button', { name: 'Unlock' });
    expect(screen.queryByText('5 visits by 2 species')).toBeNull();
  });
});
