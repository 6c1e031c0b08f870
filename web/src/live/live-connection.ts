import { type LiveName, liveNames } from './live-names';

/** News of the hub, as it came. */
export interface LiveEvent {
  readonly name: LiveName;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The part of an `EventSource` that is used. */
export type LiveSource = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

interface LiveConnectionOptions {
  /** Opens the stream behind the event of that id, or with what comes next. */
  readonly open: (lastEventId: string | undefined) => LiveSource;
  readonly onEvent: (event: LiveEvent) => void;
  /** From 0 to 1, so that those who lost a hub do not come back as one. */
  readonly random: () => number;
}

/** The one connection that news come by. */
export interface LiveConnection {
  /** Listens, at first or again; what was missed meanwhile comes as events or as `reset`. */
  start(): void;
  stop(): void;
}

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;
/** `EventSource.CLOSED`: the browser has given up, as it does when it is answered with an error. */
const closed = 2;

/** A connection that comes back by itself, also where a browser does not. */
export function createLiveConnection({ open, onEvent, random }: LiveConnectionOptions): LiveConnection {
  let source: LiveSource | undefined;
  let lastEventId: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let wasOpen = false;

  function take(name: LiveName, message: MessageEvent<string>): void {
    if (message.lastEventId !== '') lastEventId = message.lastEventId;
    onEvent({ name, data: JSON.parse(message.data) as LiveEvent['data'] });
  }

  function opened(): void {
    failures = 0;
    // Without an id nobody can tell what was missed.
    if (wasOpen && lastEventId === undefined) onEvent({ name: 'reset', data: {} });
    wasOpen = true;
  }

  function failed(): void {
    if (source?.readyState !== closed) return;
    stop();
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
    failures += 1;
    timer = setTimeout(start, pauseMs * (0.5 + random() / 2));
  }

  function start(): void {
    if (source !== undefined) return;
    clearTimeout(timer);
    source = open(lastEventId);
    source.addEventListener('open', opened);
    source.addEventListener('error', failed);
    for (const name of liveNames) {
      source.addEventListener(name, (message) => take(name, message as MessageEvent<string>));
    }
  }

  function stop(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  return { start, stop };
}
