import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { renderPart } from '../testing/render-part';
import { DecimalInput } from './decimal-input';
import components from './texts/de.json';

afterEach(cleanup);

/** Stores minutes as seconds. */
function Pause({ onChange }: { readonly onChange: (seconds: number | '') => void }) {
  const [seconds, setSeconds] = useState<number | ''>(30);
  return (
    <>
      <DecimalInput
        aria-label="Pause"
        decimalScale={1}
        value={seconds === '' ? '' : seconds / 60}
        onChange={(minutes) => {
          const next = minutes === '' ? '' : Math.round(minutes * 60);
          setSeconds(next);
          onChange(next);
        }}
      />
      <button type="button" onClick={() => setSeconds(120)}>
        Reset
      </button>
    </>
  );
}

test('DecimalInput, while a number is typed, shows each step and reports numbers', async () => {
  const reported: (number | '')[] = [];
  await renderPart(
    <Pause onChange={(seconds) => reported.push(seconds)} />,
    { components },
    {},
    { language: 'de' },
  );
  const field = screen.getByLabelText<HTMLInputElement>('Pause');
  expect(field.value).toBe('0,5');
  for (const typed of ['0,', '0', '', '-', '', '1', '1,', '1,0', '1,', '1,5']) {
    fireEvent.change(field, { target: { value: typed } });
    expect(field.value).toBe(typed);
  }
  expect(reported).toEqual([0, 0, '', '', '', 60, 60, 60, 60, 90]);
});

test('DecimalInput, given another number, shows it instead of what was typed', async () => {
  await renderPart(<Pause onChange={() => undefined} />, { components }, {}, { language: 'de' });
  const field = screen.getByLabelText<HTMLInputElement>('Pause');
  fireEvent.change(field, { target: { value: '1,' } });
  fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect(field.value).toBe('2');
});
