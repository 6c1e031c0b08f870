import { expect, it } from 'vitest';
import { uniqueName } from './unique-name';

it('a name, when it and its first numbers are taken, gets the next number', () => {
  expect(uniqueName('Frigate', [])).toBe('Frigate');
  expect(uniqueName('Frigate', ['Frigate', 'Frigate 2'])).toBe('Frigate 3');
});
