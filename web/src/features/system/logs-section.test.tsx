import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart } from '../../testing/render-part';
import { LogsSection } from './logs-section';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the log, while another number of lines loads, keeps its controls and lines', async () => {
  let calls = 0;
  vi.stubGlobal('fetch', () => {
    calls += 1;
    if (calls > 1) return new Promise(() => undefined);
    return Promise.resolve(Response.json({ path: 'detector.log', lines: ['first line'] }));
  });
  await renderPart(<LogsSection />, { system: texts, components });
  fireEvent.click(screen.getByRole('button', { name: texts.show }));
  await screen.findByText('first line');
  const select = screen.getByLabelText(texts.logs_lines);
  fireEvent.change(select, { target: { value: '1000' } });
  await vi.waitFor(() => expect(calls).toBe(2));
  expect(screen.getByLabelText(texts.logs_lines)).toBe(select);
  screen.getByText('first line');
});
