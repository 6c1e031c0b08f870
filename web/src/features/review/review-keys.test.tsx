import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useShortcuts } from '../../components/shortcuts';
import { reviewKeys } from './review-keys';

function Desk({ onAct }: { readonly onAct: (act: string) => void }) {
  useShortcuts(
    reviewKeys({
      accept: () => onAct('accept'),
      choose: (index) => onAct(`choose ${index}`),
      change: () => onAct('change'),
      noBird: () => onAct('no bird'),
      skip: () => onAct('skip'),
      undo: () => onAct('undo'),
      toggleScope: () => onAct('scope'),
    }),
  );
  return <button type="button">Skip</button>;
}

function open() {
  const actions: string[] = [];
  render(<Desk onAct={(act) => actions.push(act)} />);
  return actions;
}

afterEach(cleanup);

describe('reviewKeys', () => {
  it.each([
    ['Enter', 'accept'],
    ['a', 'accept'],
    ['1', 'choose 0'],
    ['3', 'choose 2'],
    ['c', 'change'],
    ['/', 'change'],
    ['n', 'no bird'],
    ['s', 'skip'],
    ['u', 'undo'],
    ['v', 'scope'],
  ])('the key %s, triggers %s', (key, act) => {
    const actions = open();
    fireEvent.keyDown(document.body, { key });
    expect(actions).toEqual([act]);
  });

  it('a key held down, counts once', () => {
    const actions = open();
    fireEvent.keyDown(document.body, { key: 'Enter' });
    fireEvent.keyDown(document.body, { key: 'Enter', repeat: true });
    fireEvent.keyDown(document.body, { key: 'a', repeat: true });
    expect(actions).toEqual(['accept']);
  });

  it('Enter on a button, is left to the button', () => {
    const actions = open();
    expect(fireEvent.keyDown(screen.getByText('Skip'), { key: 'Enter' })).toBe(true);
    expect(actions).toEqual([]);
    fireEvent.keyDown(screen.getByText('Skip'), { key: 'a' });
    expect(actions).toEqual(['accept']);
  });
});
