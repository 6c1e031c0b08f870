import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useRovingFocus } from './use-roving-focus';

afterEach(cleanup);

function Bar({ names = ['one', 'two', 'three'] }: { readonly names?: readonly string[] }) {
  const { container, stop, setStop, onKeyDown } = useRovingFocus<HTMLDivElement>(names, 'a');
  return (
    <div ref={container} role="toolbar" onKeyDown={onKeyDown}>
      {names.map((name) => (
        <a key={name} href={`/${name}`} tabIndex={name === stop ? 0 : -1} onFocus={() => setStop(name)}>
          {name}
        </a>
      ))}
    </div>
  );
}

describe('useRovingFocus', () => {
  it.each([
    { keys: ['ArrowRight'], name: 'two' },
    { keys: ['End'], name: 'three' },
    { keys: ['ArrowRight', 'ArrowRight', 'ArrowRight'], name: 'three' },
    { keys: ['End', 'ArrowLeft'], name: 'two' },
    { keys: ['ArrowRight', 'Home'], name: 'one' },
  ])('after $keys, focuses $name as the only tab stop', ({ keys, name }) => {
    render(<Bar />);
    screen.getByText('one').focus();
    for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
    expect(document.activeElement?.textContent).toBe(name);
    const stops = screen.getAllByRole('link').filter(({ tabIndex }) => tabIndex === 0);
    expect(stops.map(({ textContent }) => textContent)).toEqual([name]);
  });

  it('with an element added before the focused one, moves on from that', () => {
    const { rerender } = render(<Bar names={['one', 'two']} />);
    screen.getByText('one').focus();
    rerender(<Bar names={['zero', 'one', 'two']} />);
    expect(screen.getByText('one').tabIndex).toBe(0);
    fireEvent.keyDown(screen.getByText('one'), { key: 'ArrowRight' });
    expect(document.activeElement?.textContent).toBe('two');
  });

  it('with the last tab stop removed, has the first one', () => {
    const { rerender } = render(<Bar />);
    screen.getByText('three').focus();
    rerender(<Bar names={['one', 'two']} />);
    expect(screen.getAllByRole('link').map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  });
});
