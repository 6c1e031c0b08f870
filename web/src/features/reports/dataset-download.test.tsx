import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Problem } from '../../api/problem';
import { defaultDataset } from './dataset';
import { useDatasetDownload } from './dataset-download';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('useDatasetDownload, when the hub refuses the data set, fails with the error of the hub', async () => {
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const url = typeof input === 'string' ? input : input.url;
    return url.includes('/dataset/export')
      ? Response.json({ error: 'No picture matches.', code: 'not_found' }, { status: 404 })
      : Response.json({ unlocked: true, role: 'admin' });
  });
  const { result } = renderHook(useDatasetDownload);
  await act(() => result.current.start(defaultDataset, 1));
  const download = result.current.download;
  expect(download.state).toBe('failed');
  expect(download).toHaveProperty('error', expect.any(Problem));
  expect(download).toHaveProperty('error.code', 'not_found');
});
