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
  it('a shortcut of the page, runs its action and prevents the default', () => {
    const pressed = open();
    const isLeftToBrowser = fireEvent.keyDown(document.body, { key: 'j' });
    fireEvent.keyDown(document.body, { key: 'x' });
    expect([pressed, isLeftToBrowser]).toEqual([['j'], false]);
  });

  it('a shortcut that returns false, leaves the key to the browser', () => {
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

  it('a bracket typed with AltGr, counts as a bracket', () => {
    const pressed = open();
    const event = new KeyboardEvent('keydown', { key: '[', ctrlKey: true, altKey: true, bubbles: true });
    event.getModifierState = (name) => name === 'AltGraph';
    document.body.dispatchEvent(event);
    expect(pressed).toEqual(['[']);
  });

  it('with single keys turned off, ignores keys until they are turned on again', () => {
    const pressed = open();
    fireEvent.click(screen.getByText('switch'));
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(pressed).toEqual([]);
    fireEvent.click(screen.getByText('switch'));
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(pressed).toEqual(['j']);
  });
});
