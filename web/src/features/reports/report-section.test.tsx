import { useQueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { ReportSection } from './report-section';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The section with a button that does what a live event of a visit does. */
function Section() {
  const client = useQueryClient();
  const onVisit = () => void client.invalidateQueries({ queryKey: ['timeline'] });
  return (
    <>
      <ReportSection />
      <button type="button" onClick={onVisit}>
        Visit
      </button>
    </>
  );
}

test('ReportSection after a visit, shows the best day as it is now', async () => {
  let visits = 3;
  stubHub({
    'GET /api/ui/migration-calendar': () => ({
      body: { species: [{ id: 1, name: 'Great Tit', image_url: null, total: 3 }] },
    }),
    'GET /api/ui/system/activity': () => ({ body: [{ date: '2026-05-04', visits }] }),
  });
  await renderPart(<Section />, { reports: texts, components }, {}, { address: '/reports?month=2026-05' });
  await screen.findByText(/Best day: .* with 3 visits\./);
  visits = 4;
  fireEvent.click(screen.getByRole('button', { name: 'Visit' }));
  await screen.findByText(/Best day: .* with 4 visits\./);
});
