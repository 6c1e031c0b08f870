import { useCallback, useEffect, useId, useSyncExternalStore } from 'react';

/** Browsers open six connections to a host by HTTP/1.1; live events and data of the pages need the others. */
const maxConnections = 3;

/** Ids of tiles that want a stream: the last one that was started by hand first, then in order of appearance. */
let tiles: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: typeof tiles): void {
  tiles = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `play`: keeps a stream open; `still`: shows single pictures, as too many tiles want a stream. */
export type StreamSlot = 'play' | 'still';

function slotOf(tile: string): StreamSlot | undefined {
  const place = tiles.indexOf(tile);
  if (place === -1) return undefined;
  // Still pictures take one of the connections.
  const players = tiles.length > maxConnections ? maxConnections - 1 : maxConnections;
  return place < players ? 'play' : 'still';
}

interface Slot {
  /** Undefined while no stream is wanted. */
  readonly slot: StreamSlot | undefined;
  /** Starts the stream of this tile instead of the last of those that play. */
  readonly play: () => void;
  /** Moves this tile behind the others. */
  readonly yieldSlot: () => void;
}

/** Shares the few connections of the browser among the tiles that want a stream. */
export function useStreamSlot(isWanted: boolean): Slot {
  const tile = useId();
  const slot = useSyncExternalStore(subscribe, () => slotOf(tile));
  useEffect(() => {
    if (!isWanted) return;
    change([...tiles, tile]);
    return () => change(tiles.filter((other) => other !== tile));
  }, [tile, isWanted]);
  const play = () => change([tile, ...tiles.filter((other) => other !== tile)]);
  const yieldSlot = useCallback(() => change([...tiles.filter((other) => other !== tile), tile]), [tile]);
  return { slot, play, yieldSlot };
}

let stills: Promise<unknown> = Promise.resolve();

/** Runs a request for a still picture once the earlier ones have ended, so that they share one connection. */
export function queueStill<T>(request: () => Promise<T>): Promise<T> {
  const result = stills.then(request);
  stills = result.catch(() => undefined);
  return result;
}
