import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createSpecies } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import { SightingDialog } from './sighting-dialog';
import texts from './texts/en.json';

const post = 'POST /api/ui/sightings';
const stored = {
  status: 201,
  body: { message: '', video_id: 7, created: true, detections: 1, dropped: 0, visits: [3] },
};

describe('the form of a sighting', () => {
  let onClose = vi.fn();
  beforeEach(() => {
    onClose = vi.fn();
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  async function show(reply: () => { status?: number; body: object } = () => stored, day?: string) {
    const { calls } = stubHub({
      'GET /api/ui/species': () => ({
        body: [
          createSpecies({ id: 1, name: 'Great Tit', visits: 3 }),
          createSpecies({ id: 2, name: 'Robin', visits: 9 }),
          createSpecies({ id: 3, name: 'Wren' }),
        ],
      }),
      'GET /api/ui/overview': () => ({ body: { topSpecies: [{ id: 1, name: 'Great Tit', count: 1 }] } }),
      'GET /api/ui/cameras': () => ({ body: { cameras: [{ id: 'cam1', name: 'Garden' }] } }),
      [post]: reply,
    });
    await renderPart(<SightingDialog isOpen day={day} onClose={onClose} />, { sightings: texts, components });
    await screen.findByRole('button', { name: 'Great Tit' });
    return () =>
      calls.filter(([name]) => name === post).map(([, body]) => body as Readonly<Record<string, unknown>>);
  }
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'Add sighting' }));
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const fill = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label, { selector: 'input, textarea' }), { target: { value } });

  it('when stored, closes before the lists are loaded again', async () => {
    const sent = await show();
    press('Great Tit');
    const reply = fetch;
    vi.stubGlobal('fetch', (request: Request) =>
      request.method === 'POST' ? reply(request) : new Promise(() => undefined),
    );
    send();
    await waitFor(() => expect(sent()).toHaveLength(1));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  it('when opened, offers the birds of today, then the most frequent ones', async () => {
    await show();
    const offered = screen.getByRole('group', { name: 'Often here' });
    await waitFor(() =>
      expect([...offered.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
        'Great Tit',
        'Robin',
      ]),
    );
  });

  it('with only a species, sends one bird seen now', async () => {
    const sent = await show();
    press('Robin');
    send();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sent()).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{32}$/), species_name: 'Robin', count: 1, source: 'video' },
    ]);
  });

  it('with all fields filled, sends them, and a known camera by its id', async () => {
    const sent = await show(undefined, '2026-05-04');
    press('Great Tit');
    fireEvent.click(screen.getByLabelText('Heard'));
    press('One bird more');
    fill('Day and time', '2026-05-04T08:05');
    fill('Camera or place', 'Garden');
    fill('Note', ' two at the nest ');
    send();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      species_name: 'Great Tit',
      count: 2,
      source: 'audio',
      time: '2026-05-04T08:05:00.000Z',
      camera_id: 'cam1',
      note: 'two at the nest',
    });
  });

  it('without a species, shows the problem at its field and sends nothing', async () => {
    const sent = await show();
    send();
    await screen.findByText('Choose a species.');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Species' }));
    expect(sent()).toEqual([]);
  });

  it('with a time in the future, shows the problem at its field and sends nothing', async () => {
    const sent = await show();
    press('Robin');
    fireEvent.click(screen.getByLabelText('Earlier'));
    fill('Day and time', '2199-01-01T00:00');
    send();
    await screen.findByText('This time is still ahead.');
    expect(sent()).toEqual([]);
  });

  it('with a field the hub refuses, shows the reason there and keeps the input', async () => {
    const details = [{ path: '/note', message: 'must not have control characters' }];
    await show(() => ({ status: 400, body: { code: 'invalid_request', error: 'invalid', details } }));
    press('Robin');
    fill('Note', 'text');
    send();
    await screen.findByText('must not have control characters');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    expect((screen.getByLabelText('Note') as HTMLTextAreaElement).value).toBe('text');
  });

  it('with a species chosen, is closed by Escape only after a confirmation', async () => {
    const confirm = vi.fn(() => false);
    vi.stubGlobal('confirm', confirm);
    await show();
    const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    press('Robin');
    pressEscape();
    expect(confirm).toHaveBeenCalledOnce();
    expect(onClose).not.toHaveBeenCalled();
    confirm.mockReturnValue(true);
    pressEscape();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('when sent again after a failure, keeps its id', async () => {
    let isDown = true;
    const sent = await show(() =>
      isDown ? { status: 503, body: { code: 'starting', error: 'starting' } } : stored,
    );
    press('Robin');
    send();
    await screen.findByRole('alert');
    isDown = false;
    send();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    const ids = sent().map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('with a photo that is being prepared, sends nothing until the photo can be sent too', async () => {
    let decode: (picture: object) => void = () => undefined;
    vi.stubGlobal('createImageBitmap', () => new Promise<object>((resolve) => (decode = resolve)));
    const context = { fillRect: () => undefined, drawImage: () => undefined };
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['jpeg'])));
    const sent = await show();
    press('Robin');
    const files = [new File(['photo'], 'robin.jpg', { type: 'image/jpeg' })];
    fireEvent.change(document.querySelector('input[type=file]') as Element, { target: { files } });
    await screen.findByText(texts.photo_preparing);
    fireEvent.submit(document.querySelector('form') as Element);
    decode({ width: 1, height: 1, close: () => undefined });
    await screen.findByRole('img', { name: texts.photo_alt });
    expect(sent()).toEqual([]);
    send();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ image_base64: btoa('jpeg') });
  });

  it.each([
    ['', '1'],
    ['0', '1'],
    ['12', '12'],
    ['9999', '500'],
  ])('with %j typed as the number of birds, shows %s', async (typed, shown) => {
    await show();
    fill('Number of birds', typed);
    expect((screen.getByLabelText('Number of birds') as HTMLInputElement).value).toBe(shown);
  });
});
