import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { newRule } from './rule';
import { RulesSection } from './rules-section';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const rules = ['First', 'Second'].map((name, index) => ({ ...newRule, id: index + 1, name }));

test('RulesSection, while a change is stored, keeps the focus on its control and sends no other one', async () => {
  const { calls } = stubHub({ 'GET /api/ui/alert-rules': () => ({ body: rules }) });
  const answer = fetch;
  vi.stubGlobal('fetch', (request: Request) =>
    request.method === 'PATCH' ? new Promise(() => calls.push(['PATCH', undefined])) : answer(request),
  );
  await renderPart(<RulesSection />, { notifications: texts, components });
  const control = await screen.findByRole('button', {
    name: texts['rules.up_named'].replace('{{name}}', 'Second'),
  });
  const countChanges = () => calls.filter(([call]) => call === 'PATCH').length;
  control.focus();
  fireEvent.click(control);
  await vi.waitFor(() => expect(control.getAttribute('aria-disabled')).toBe('true'));
  await vi.waitFor(() => expect(countChanges()).toBe(1));
  fireEvent.click(control);
  expect(control).toHaveProperty('disabled', false);
  expect(document.activeElement).toBe(control);
  expect(countChanges()).toBe(1);
});
