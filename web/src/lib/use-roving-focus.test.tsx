import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useRovingFocus } from './use-roving-focus';

afterEach(cleanup);

function Bar() {
  const { container, stop, setStop, onKeyDown } = useRovingFocus<HTMLDivElement>(3, 'a');
  return (
    <div ref={container} role="toolbar" onKeyDown={onKeyDown}>
      {['one', 'two', 'three'].map((name, index) => (
        <a key={name} href={`/${name}`} tabIndex={index === stop ? 0 : -1} onFocus={() => setStop(index)}>
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
});
