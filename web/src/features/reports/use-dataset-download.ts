import { useEffect, useRef, useState } from 'react';
import { hubUrl } from '../../api/hub-url';
import { ensureRole } from '../session/access';
import { type DatasetOptions, toDatasetQuery } from './dataset-options';
import { follow, type SaveProgress, saveFromMemory, saveToFile } from './save-stream';

/** Where a download stands; `handed_over` when the browser does it and shows how far it is. */
export type Download =
  | { readonly state: 'idle' | 'done' | 'cancelled' | 'handed_over' }
  | ({ readonly state: 'running' } & SaveProgress)
  | { readonly state: 'failed'; readonly error: Error };

/** About what a picture takes, and what a page may keep in memory. */
const pictureBytes = { crops: 40_000, yolo: 300_000, coco: 300_000 } as const;
const mostInMemory = 100_000_000;

/** Also when nobody chose a place for the file. */
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

/** The way that suits this browser; false when the browser does it by itself. */
async function save(
  options: DatasetOptions,
  images: number,
  how: Parameters<typeof saveToFile>[2],
): Promise<boolean> {
  const query = Object.entries(toDatasetQuery(options)).map(([name, value]) => [name, String(value)]);
  const url = hubUrl(`/api/ui/dataset/export?${new URLSearchParams(query)}`);
  const name = 'birdhub_dataset.zip';
  if (window.showSaveFilePicker) {
    await saveToFile(url, await window.showSaveFilePicker({ suggestedName: name }), how);
    return true;
  }
  if (images * pictureBytes[options.format] <= mostInMemory) {
    await saveFromMemory(url, name, how);
    return true;
  }
  follow(url);
  return false;
}

/** Downloads a data set, asking for the password first where one is needed. */
export function useDatasetDownload() {
  const [download, setDownload] = useState<Download>({ state: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (options: DatasetOptions, images: number) => {
    if (!(await ensureRole('contributor'))) return;
    const controller = new AbortController();
    running.current = controller;
    const onProgress = (progress: SaveProgress) => setDownload({ state: 'running', ...progress });
    try {
      onProgress({ bytes: 0, files: 0 });
      const isSaved = await save(options, images, { signal: controller.signal, onProgress });
      setDownload({ state: isSaved ? 'done' : 'handed_over' });
    } catch (error) {
      const isCancelled = controller.signal.aborted || isAbort(error);
      setDownload(isCancelled ? { state: 'cancelled' } : { state: 'failed', error: toError(error) });
    }
  };
  return { download, start, cancel: () => running.current?.abort() };
}
