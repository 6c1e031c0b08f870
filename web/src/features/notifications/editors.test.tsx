import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { ChannelEditor } from './channel-editor';
import { RuleEditor } from './rule-editor';
import notifications from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['a rule', (onClose: () => void) => <RuleEditor rule={undefined} onClose={onClose} />],
  [
    'a channel',
    (onClose: () => void) => <ChannelEditor kind="ntfy" stored={undefined} taken={[]} onClose={onClose} />,
  ],
])(
  'the editor of %s, is closed by Escape without a question only while nothing is changed',
  async (_, editor) => {
    stubHub({});
    const confirm = vi.fn(() => false);
    vi.stubGlobal('confirm', confirm);
    const onClose = vi.fn();
    await renderPart(editor(onClose), { notifications, components });
    const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    pressEscape();
    expect(onClose).toHaveBeenCalledOnce();
    const name = screen.getByLabelText(/^Name/, { selector: 'input' });
    fireEvent.change(name, { target: { value: 'Garden' } });
    pressEscape();
    expect(confirm).toHaveBeenCalledOnce();
    expect(onClose).toHaveBeenCalledOnce();
  },
);
