import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import api from '../../api/texts/de.json';
import components from '../../components/texts/de.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { JobsSection } from './jobs-section';
import system from './texts/de.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const progress = { processed: 0, total: 0, generated: 0, failed: 0, skipped: 0, current_video_id: null };
const createScan = (job_id: number, more: object = {}) => ({
  ...{
    job_id,
    kind: 'scan',
    state: 'done',
    parameters: {},
    progress,
    result: null,
    failures: [],
    error: null,
  },
  ...{ started_at: '2026-05-04T10:00:00Z', finished_at: '2026-05-04T10:01:00Z' },
  ...more,
});
const values = { present: 0, checked: 500 };
const refused = {
  state: 'error',
  error: 'Only 0 of 500 recording files were found',
  result: { failure: [{ code: 'recordings_absent', values }] },
};
const reason = api['sentence.recordings_absent'].replace('{{present}}', '0').replace('{{checked}}', '500');

test('JobsSection, when a scan finds almost no files, gives the reason and scans all the same once confirmed', async () => {
  let jobs = [createScan(2, refused), createScan(1, refused)];
  const { calls } = stubHub({
    'GET /api/ui/system/jobs': () => ({ body: { jobs } }),
    'POST /api/ui/system/recordings/scan': () => {
      jobs = [createScan(3, { state: 'running' }), ...jobs];
      return { status: 202, body: { message: '', started: true, job_id: 3 } };
    },
  });
  const scans = () => calls.filter(([call]) => call.startsWith('POST')).map(([, body]) => body);
  await renderPart(<JobsSection />, { system, components, api }, {}, { language: 'de' });
  fireEvent.click(await screen.findByRole('button', { name: system.scan_anyway }));
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText(reason);
  expect(scans()).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: system.scan_anyway }));
  await waitFor(() => expect(scans()).toEqual([{ background: true, confirm: true }]));
  await waitFor(() => expect(screen.queryByRole('button', { name: system.scan_anyway })).toBeNull());
});

test('JobsSection, with a scan that failed for another reason, offers no confirmation', async () => {
  const result = { failure: [{ code: 'crashed', values: {} }] };
  const jobs = [createScan(1, { ...refused, error: 'It crashed.', result })];
  stubHub({ 'GET /api/ui/system/jobs': () => ({ body: { jobs } }) });
  await renderPart(<JobsSection />, { system, components, api }, {}, { language: 'de' });
  await screen.findByText(api['sentence.crashed']);
  expect(screen.queryByRole('button', { name: system.scan_anyway })).toBeNull();
});
