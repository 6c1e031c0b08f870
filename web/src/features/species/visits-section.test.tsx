import { useQueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createVisit } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import texts from './texts/en.json';
import { VisitsSection } from './visits-section';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const visitsCall = 'GET /api/ui/species/1/visits';
const firstVisit = createVisit();
const newVisit = createVisit({ id: 2 });

/** The section with buttons for a visit of another species and for one of its own. */
function Section() {
  const client = useQueryClient();
  const [recent, setRecent] = useState([firstVisit]);
  const [isRefreshed, setIsRefreshed] = useState(false);
  const refreshSpecies = async () => {
    await client.invalidateQueries({ queryKey: ['species'] });
    setIsRefreshed(true);
  };
  return (
    <>
      <VisitsSection speciesId={1} recent={recent} />
      <button type="button" onClick={refreshSpecies}>
        Other visit
      </button>
      <button type="button" onClick={() => setRecent([newVisit, firstVisit])}>
        Own visit
      </button>
      {isRefreshed && 'refreshed'}
    </>
  );
}

const show = () => renderPart(<Section />, { species: texts, components });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('VisitsSection', () => {
  it('when the first page fails, offers to try again', async () => {
    let status = 500;
    stubHub({ [visitsCall]: () => ({ status, body: status === 200 ? [firstVisit, newVisit] : {} }) });
    await show();
    press(texts.all_visits);
    await screen.findByRole('alert');
    status = 200;
    press(components.retry);
    await vi.waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('after a visit, loads its pages again only for its own species', async () => {
    const { calls } = stubHub({ [visitsCall]: () => ({ body: [firstVisit] }) });
    await show();
    press(texts.all_visits);
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: texts.more_visits })).toBeNull());
    const countCalls = () => calls.filter(([call]) => call === visitsCall).length;
    press('Other visit');
    await screen.findByText('refreshed');
    expect(countCalls()).toBe(1);
    press('Own visit');
    await vi.waitFor(() => expect(countCalls()).toBe(2));
  });
});
