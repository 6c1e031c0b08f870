import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import texts from './texts/en.json';
import { Webhooks } from './webhooks';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const patch = 'PATCH /api/ui/settings';
const preview = 'POST /api/ui/hooks/preview';
const frigate = { name: 'frigate', species_name: '/after/sub_label' };

async function show(hooks: object[], replies: Replies = {}) {
  const { calls } = stubHub({
    'GET /api/ui/species': () => ({ body: [] }),
    'GET /api/ui/cameras': () => ({ body: { cameras: [] } }),
    [patch]: (sent) => ({ body: sent as object }),
    ...replies,
  });
  await renderPart(<Webhooks settings={{ hooks } as never} />, { settings: texts, components });
  return (call: string) => calls.filter(([name]) => name === call).map(([, body]) => body);
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const dialog = () => within(screen.getByRole('dialog'));
/** The example is sent after a pause in typing, and the machine may be slow. */
const see = (text: string | RegExp) => dialog().findByText(text, undefined, { timeout: 30_000 });
const fill = (label: string, value: string) =>
  fireEvent.change(dialog().getByLabelText(label, { selector: 'input, textarea' }), { target: { value } });

describe('the list of webhooks', () => {
  it('without webhooks, shows a message', async () => {
    await show([]);
    screen.getByText('No webhooks yet.');
  });

  it('with a webhook, shows its address', async () => {
    await show([frigate]);
    expect((screen.getByLabelText('Address') as HTMLInputElement).value).toBe(
      'https://birds.example/api/processor/hooks/frigate',
    );
  });

  it('with a webhook deleted, asks first and keeps the others', async () => {
    const sent = await show([frigate, { name: 'other' }]);
    press('Delete frigate');
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(sent(patch)).toEqual([]);
    press('Delete frigate');
    fireEvent.click(dialog().getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent(patch)).toEqual([{ hooks: [{ name: 'other' }] }]));
  });
});

describe('a webhook', () => {
  it('with changes, is closed by Escape only after a confirmation', async () => {
    const confirm = vi.fn(() => false);
    vi.stubGlobal('confirm', confirm);
    await show([frigate]);
    const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    press('Edit frigate');
    pressEscape();
    expect(screen.queryByRole('dialog')).toBeNull();
    press('Edit frigate');
    fill('Name', 'pond');
    pressEscape();
    expect(confirm).toHaveBeenCalledOnce();
    screen.getByRole('dialog');
  });

  const found = {
    sighting: { species_name: 'Great Tit', confidence: 0.93, time: '2026-05-04T07:42:00Z' },
    problems: [],
    suggestions: { species_name: '/bird', confidence: '/score' },
  };

  it('created from an example, takes the suggestions, shows a preview and is stored', async () => {
    const sent = await show([frigate], { [preview]: () => ({ body: found }) });
    press('Create webhook');
    fill('Name', 'birdnet');
    fill('Paste an example', '{"bird": "Great Tit", "score": 0.93}');
    await see('= Great Tit');
    await see(/7:42.AM · 93%/u);
    fireEvent.click(dialog().getByRole('button', { name: 'Save' }));
    const hook = { name: 'birdnet', species_name: '/bird', confidence: '/score' };
    await waitFor(() => expect(sent(patch)).toEqual([{ hooks: [frigate, hook] }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('with birds that were heard, is stored with the source', async () => {
    const sent = await show([frigate]);
    press('Edit frigate');
    fireEvent.click(dialog().getByRole('button', { name: 'More options' }));
    fireEvent.change(dialog().getByLabelText('Seen or heard'), { target: { value: 'audio' } });
    fireEvent.click(dialog().getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(patch)).toEqual([{ hooks: [{ ...frigate, source: 'audio' }] }]));
  });

  it('created from invalid JSON, shows the problem without a request', async () => {
    const sent = await show([], { [preview]: () => ({ body: found }) });
    press('Create webhook');
    fill('Paste an example', '{"bird": ');
    await see(texts['hooks.not_json']);
    expect(sent(preview)).toEqual([]);
  });

  it('with a wrong value, shows the reason at its field', async () => {
    const problems = [{ field: 'confidence', message: 'must be a number' }];
    await show([], { [preview]: () => ({ body: { ...found, sighting: undefined, problems } }) });
    press('Create webhook');
    fill('Paste an example', '{"bird": "Great Tit", "score": "high"}');
    await see('must be a number');
    await see(texts['hooks.no_sighting']);
  });

  it('when edited, keeps its pointers after an example is pasted', async () => {
    await show([frigate], { [preview]: () => ({ body: found }) });
    press('Edit frigate');
    fill('Paste an example', '{"bird": "Great Tit"}');
    await see(texts['hooks.nothing_there']);
    const field = dialog().getByLabelText('Species', { selector: 'input' }) as HTMLInputElement;
    expect(field.value).toBe('/after/sub_label');
  });

  it('with a name that is taken, is not sent', async () => {
    const sent = await show([frigate]);
    press('Create webhook');
    fill('Name', 'frigate');
    fireEvent.click(dialog().getByRole('button', { name: 'Save' }));
    await see(texts['hooks.name_taken']);
    expect(sent(patch)).toEqual([]);
  });

  it('when refused by the hub, shows the reason at its field and stays open', async () => {
    const details = [{ path: '/hooks/0/name', message: 'is that of another hook' }];
    await show([], {
      [patch]: () => ({ status: 400, body: { code: 'invalid_request', error: 'x', details } }),
    });
    press('Create webhook');
    fill('Name', 'birdnet');
    fireEvent.click(dialog().getByRole('button', { name: 'Save' }));
    await see('is that of another hook');
  });
});
