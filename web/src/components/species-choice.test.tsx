import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createInstance } from 'i18next';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { afterEach, describe, expect, it } from 'vitest';
import type { Species } from '../lib/rank-species';
import { SpeciesChoice } from './species-choice';
import texts from './texts/en.json';

const bird = (id: number, name: string, more: Partial<Species> = {}): Species => ({
  id,
  name,
  scientific_name: null,
  parent_id: null,
  group: 'bird',
  created_at: '2026-01-01T00:00:00Z',
  image_url: null,
  description: null,
  active: true,
  count: 0,
  visits: 100 - id,
  heard_only: false,
  ...more,
});

const species = [bird(1, 'Great Tit'), bird(2, 'Blue Tit'), bird(3, 'European Robin')];

/** Renders the choice with a few species and records what is chosen. */
async function open(props: { value?: number; likely?: number[]; onClear?: () => void } = {}) {
  const chosen: string[] = [];
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(['species'], species);
  client.setQueryData(['species-names', 'en'], {});
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng: 'en',
    showSupportNotice: false,
    keySeparator: false,
    resources: { en: { components: texts } },
  });
  const { value = null, ...others } = props;
  render(
    <I18nextProvider i18n={i18n}>
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <SpeciesChoice value={value} onChoose={({ name }) => chosen.push(name)} {...others} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Species' });
  const press = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(field, { key });
  };
  const type = (text: string) => fireEvent.change(field, { target: { value: text } });
  /** The option that a screen reader announces. */
  const active = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  return { field, chosen, press, type, active };
}

afterEach(cleanup);

describe('SpeciesChoice', () => {
  it('part of a name and Enter, chooses the first match', async () => {
    const { type, press, chosen, active, field } = await open();
    type('rob');
    expect([field.getAttribute('aria-expanded'), active()]).toEqual(['true', 'European Robin']);
    press('Enter');
    expect([chosen, field.getAttribute('aria-expanded')]).toEqual([['European Robin'], 'false']);
  });

  it('arrow keys, move through the list and wrap around', async () => {
    const { press, active, chosen } = await open();
    press('ArrowDown');
    expect(active()).toBe('Great Tit');
    press('ArrowUp');
    expect(active()).toBe('European Robin');
    press('ArrowDown', 'ArrowDown', 'Enter');
    expect(chosen).toEqual(['Blue Tit']);
  });

  it('likely species, are offered first', async () => {
    const { press, active } = await open({ likely: [3] });
    press('ArrowDown');
    expect(active()).toBe('European Robin');
  });

  it('Escape while typing, keeps the previous choice', async () => {
    const { field, type, press, chosen } = await open({ value: 1 });
    type('rob');
    press('Escape');
    expect([(field as HTMLInputElement).value, chosen]).toEqual(['Great Tit', []]);
  });

  it('a click on an option, chooses it', async () => {
    const { press, chosen } = await open();
    press('ArrowDown');
    fireEvent.click(screen.getByRole('option', { name: 'Blue Tit' }));
    expect(chosen).toEqual(['Blue Tit']);
  });

  it('text without a match, shows a message and chooses nothing', async () => {
    const { type, press, chosen } = await open();
    type('ostrich');
    press('Enter');
    expect(screen.getByText('No species matches “ostrich”')).toBeTruthy();
    expect(chosen).toEqual([]);
  });
});
