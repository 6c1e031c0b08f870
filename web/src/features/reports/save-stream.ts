import { toProblem } from '../../api/problem';
import { createEntryCounter } from './count-entries';

/** How much of an archive has come. */
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
    /** Not in every browser, and only where the page is served securely. */
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
  if (!response.ok) throw toProblem(response, await response.json().catch(() => undefined));
  if (response.body === null) throw toProblem(response, undefined);
  return response.body.pipeThrough(counting(options));
}

/** Writes what an address answers to a file as it comes, however large it is. @throws Problem, AbortError */
export async function saveToFile(
  url: string,
  file: FileSystemFileHandle,
  options: SaveOptions,
): Promise<void> {
  const body = await open(url, options);
  await body.pipeTo(await file.createWritable(), { signal: options.signal });
}

/** Keeps what an address answers in memory and hands it to the browser at the end. @throws Problem, AbortError */
export async function saveFromMemory(url: string, name: string, options: SaveOptions): Promise<void> {
  const blob = await new Response(await open(url, options)).blob();
  options.signal.throwIfAborted();
  const address = URL.createObjectURL(blob);
  follow(address, name);
  // Browsers begin to read it within this time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Lets the browser download an address by itself. */
export function follow(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
