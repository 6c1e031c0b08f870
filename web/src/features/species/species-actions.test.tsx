import { Notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createSpecies } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import { SpeciesActions } from './species-actions';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'fonts');
});

const find = (name: string) => screen.findByRole('button', { name });

async function openMerge() {
  fireEvent.click(await find(texts.actions));
  fireEvent.click(await screen.findByRole('menuitem', { name: texts.merge }));
  return screen.findByRole('combobox', { name: texts.merge_into });
}

test('SpeciesActions, when a merge was cancelled, forgets the chosen species and the failure', async () => {
  const tit = createSpecies();
  stubHub({
    'GET /api/ui/species': () => ({ body: [tit, createSpecies({ id: 2, name: 'Blue Tit' })] }),
    'POST /api/ui/species/1/merge': () => ({ status: 409, body: { code: 'conflict', error: 'no' } }),
  });
  await renderPart(<SpeciesActions species={{ ...tit, name: 'Great Tit' } as never} />, {
    species: texts,
    components,
  });
  const field = await openMerge();
  fireEvent.change(field, { target: { value: 'Blue' } });
  fireEvent.click(await screen.findByRole('option', { name: /Blue Tit/ }));
  await screen.findByText(/All sightings/);
  fireEvent.click(await find(texts.merge));
  await screen.findByRole('alert');
  fireEvent.click(screen.getByText(texts.cancel));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await openMerge();
  expect(screen.queryByText(/All sightings/)).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(await find(texts.merge)).toHaveProperty('disabled', true);
});

test('SpeciesActions, after a merge, offers undo before the pages are loaded again', async () => {
  const tit = createSpecies();
  stubHub({
    'GET /api/ui/species': () => ({ body: [tit, createSpecies({ id: 2, name: 'Blue Tit' })] }),
    'POST /api/ui/species/1/merge': () => ({ body: { merge_id: 5 } }),
  });
  const { router } = await renderPart(
    <>
      <Notifications />
      <SpeciesActions species={{ ...tit, name: 'Great Tit' } as never} />
    </>,
    { species: texts, components },
  );
  fireEvent.change(await openMerge(), { target: { value: 'Blue' } });
  fireEvent.click(await screen.findByRole('option', { name: /Blue Tit/ }));
  await screen.findByText(/All sightings/);
  const reply = fetch;
  vi.stubGlobal('fetch', (request: Request) =>
    request.method === 'POST' ? reply(request) : new Promise(() => undefined),
  );
  fireEvent.click(await find(texts.merge));
  await find(texts.undo);
  expect(router.state.location.pathname).toBe('/species/2');
});

test('SpeciesActions, with a changed name, is closed by Escape only after a confirmation', async () => {
  const confirm = vi.fn(() => false);
  vi.stubGlobal('confirm', confirm);
  // Text areas of this size listen to it.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  const tit = createSpecies();
  stubHub({ 'GET /api/ui/species': () => ({ body: [tit] }) });
  await renderPart(<SpeciesActions species={{ ...tit, name: 'Great Tit' } as never} />, {
    species: texts,
    components,
  });
  fireEvent.click(await find(texts.actions));
  await waitFor(() =>
    expect(screen.getByRole('menuitem', { name: texts.edit })).toHaveProperty('disabled', false),
  );
  const edit = () => fireEvent.click(screen.getByRole('menuitem', { name: texts.edit }));
  edit();
  const pressEscape = async () => fireEvent.keyDown(await screen.findByRole('dialog'), { key: 'Escape' });
  fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'Tit' } });
  await pressEscape();
  expect(confirm).toHaveBeenCalledOnce();
  confirm.mockReturnValue(true);
  await pressEscape();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
