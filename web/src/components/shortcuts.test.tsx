import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useShortcuts, useSingleKeys } from './shortcuts';

function Page({ onKey }: { readonly onKey: (key: string) => unknown }) {
  const [areOn, setOn] = useSingleKeys();
  useShortcuts({ j: () => onKey('j'), '[': () => onKey('[') });
  return (
    <>
      <button type="button" onClick={() => setOn(!areOn)}>
        switch
      </button>
      <input aria-label="field" />
      <div role="dialog">
        <button type="button">in a dialog</button>
      </div>
    </>
  );
}

function open(response?: unknown) {
  const pressed: string[] = [];
  render(
    <Page
      onKey={(key) => {
        pressed.push(key);
        return response;
      }}
    />,
  );
  return pressed;
}

afterEach(() => {
  cleanup();
  localStorage.clear();
});

describe('useShortcuts', () => {
  it('a key of the page, does what it does and nothing else', () => {
    const pressed = open();
    const isLeftToBrowser = fireEvent.keyDown(document.body, { key: 'j' });
    fireEvent.keyDown(document.body, { key: 'x' });
    expect([pressed, isLeftToBrowser]).toEqual([['j'], false]);
  });

  it('a key that is not its affair now, is left to the browser', () => {
    open(false);
    expect(fireEvent.keyDown(document.body, { key: 'j' })).toBe(true);
  });

  it.each([
    ['in a field', () => fireEvent.keyDown(screen.getByLabelText('field'), { key: 'j' })],
    ['in a dialog', () => fireEvent.keyDown(screen.getByText('in a dialog'), { key: 'j' })],
    ['with Ctrl', () => fireEvent.keyDown(document.body, { key: 'j', ctrlKey: true })],
    ['with the command key', () => fireEvent.keyDown(document.body, { key: 'j', metaKey: true })],
  ])('a key %s, does nothing', (_case, press) => {
    const pressed = open();
    press();
    expect(pressed).toEqual([]);
  });

  it('a bracket by AltGr, is a bracket', () => {
    const pressed = open();
    const event = new KeyboardEvent('keydown', { key: '[', ctrlKey: true, altKey: true, bubbles: true });
    event.getModifierState = (name) => name === 'AltGraph';
    document.body.dispatchEvent(event);
    expect(pressed).toEqual(['[']);
  });

  it('single keys switched off, do nothing until they are switched on', () => {
    const pressed = open();
    fireEvent.click(screen.getByText('switch'));
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(pressed).toEqual([]);
    fireEvent.click(screen.getByText('switch'));
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(pressed).toEqual(['j']);
  });
});
