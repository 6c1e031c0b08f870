import { useEffect, useRef, useState } from 'react';
import { hubUrl } from '../../api/hub-url';
import { Problem, readProblem } from '../../api/problem';
import { ensureRole } from '../session/ensure-role';
import { createEntryCounter, type DatasetOptions, toDatasetQuery } from './dataset';

/** State of a download; `handed_over` when the download manager of the browser takes over. */
export type Download =
  | { readonly state: 'idle' | 'done' | 'cancelled' | 'handed_over' }
  | ({ readonly state: 'running' } & SaveProgress)
  | { readonly state: 'failed'; readonly error: Error };

/** Approximate size of an image, and limit of a download in memory. */
const pictureBytes = { crops: 40_000, yolo: 300_000, coco: 300_000 } as const;
const maxInMemoryBytes = 100_000_000;

/** Also true if the file picker was cancelled. */
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

/** Saves in the best way that this browser supports. Returns false if its download manager takes over. */
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
  if (images * pictureBytes[options.format] <= maxInMemoryBytes) {
    await saveFromMemory(url, name, how);
    return true;
  }
  follow(url);
  return false;
}

/** Downloads a data set; asks for the password when needed. */
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

/** Received part of an archive. */
export interface SaveProgress {
  readonly bytes: number;
  readonly files: number;
}

interface SaveOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SaveProgress) => void;
}

declare global {
  interface Window {
    /** Only in some browsers and secure contexts. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

const reportEveryMs = 200;

function counting({ onProgress }: SaveOptions): TransformStream<Uint8Array, Uint8Array> {
  const countEntries = createEntryCounter();
  let progress = { bytes: 0, files: 0 };
  let reportedAt = 0;
  return new TransformStream({
    transform(piece, controller) {
      progress = { bytes: progress.bytes + piece.length, files: countEntries(piece) };
      if (performance.now() - reportedAt > reportEveryMs) {
        reportedAt = performance.now();
        onProgress(progress);
      }
      controller.enqueue(piece);
    },
    flush: () => onProgress(progress),
  });
}

async function open(url: string, options: SaveOptions): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, { signal: options.signal });
  if (!response.ok) throw await readProblem(response);
  if (response.body === null) throw new Problem(response.status, {});
  return response.body.pipeThrough(counting(options));
}

/** Streams a response to a file. @throws Problem, AbortError */
async function saveToFile(url: string, file: FileSystemFileHandle, options: SaveOptions): Promise<void> {
  const body = await open(url, options);
  await body.pipeTo(await file.createWritable(), { signal: options.signal });
}

/** Collects a response in memory, then downloads it. @throws Problem, AbortError */
async function saveFromMemory(url: string, name: string, options: SaveOptions): Promise<void> {
  const blob = await new Response(await open(url, options)).blob();
  options.signal.throwIfAborted();
  const address = URL.createObjectURL(blob);
  follow(address, name);
  // Browsers start reading the URL within this time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Starts a download by the browser. */
function follow(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
