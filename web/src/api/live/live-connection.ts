import { type LiveEvent, type LiveName, liveNames } from './live-events';

/** The part of an `EventSource` that is used. */
export type LiveSource = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

interface LiveConnectionOptions {
  /** Opens the stream after the event of that id, or at the next event. */
  readonly open: (lastEventId: string | undefined) => LiveSource;
  readonly onEvent: (event: LiveEvent) => void;
  /** Called each time the stream has opened: the hub can be reached. */
  readonly onOpen: () => void;
  /** Called at an interval while the stream is wanted but not open. */
  readonly onLost: () => void;
  /** From 0 to 1; spreads the reconnects of many clients. */
  readonly random: () => number;
}

/** The event stream of this page. */
interface LiveConnection {
  /** Connects or reconnects; missed events arrive as events or as `reset`. */
  start(): void;
  stop(): void;
}

const minRetryMs = 2_000;
const maxRetryMs = 60_000;
const lostIntervalMs = 20_000;
/** `EventSource.CLOSED`: the browser does not retry after an error response. */
const closed = 2;

/** Reconnects with growing pauses, also where the browser does not. */
export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { open, onEvent, onOpen, onLost, random } = options;
  let source: LiveSource | undefined;
  let lastEventId: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lostTimer: ReturnType<typeof setInterval> | undefined;
  let failures = 0;
  let wasOpen = false;

  function receive(name: LiveName, message: MessageEvent<string>): void {
    if (message.lastEventId !== '') lastEventId = message.lastEventId;
    onEvent({ name, data: JSON.parse(message.data) as LiveEvent['data'] });
  }

  function setLost(isLost: boolean): void {
    if (!isLost) clearInterval(lostTimer);
    lostTimer = isLost ? (lostTimer ?? setInterval(onLost, lostIntervalMs)) : undefined;
  }

  function opened(): void {
    failures = 0;
    setLost(false);
    // Without an id, missed events are unknown.
    if (wasOpen && lastEventId === undefined) onEvent({ name: 'reset', data: {} });
    wasOpen = true;
    onOpen();
  }

  function failed(): void {
    setLost(true);
    if (source?.readyState !== closed) return;
    close();
    const pauseMs = Math.min(minRetryMs * 2 ** failures, maxRetryMs);
    failures += 1;
    timer = setTimeout(start, pauseMs * (0.5 + random() / 2));
  }

  function start(): void {
    if (source !== undefined) return;
    clearTimeout(timer);
    setLost(true);
    source = open(lastEventId);
    source.addEventListener('open', opened);
    source.addEventListener('error', failed);
    for (const name of liveNames) {
      source.addEventListener(name, (message) => receive(name, message as MessageEvent<string>));
    }
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  function stop(): void {
    close();
    setLost(false);
  }

  return { start, stop };
}

/** Browsers allow few connections per host: a hidden page closes its connection after this time. */
const hiddenTimeoutMs = 60_000;

/** Keeps the connection open while the page is visible. Returns a function that ends this and disconnects. */
export function connectWhileVisible(
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>,
  connection: LiveConnection,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(connection.stop, hiddenTimeoutMs);
    else connection.start();
  };
  page.addEventListener('visibilitychange', update);
  update();
  return () => {
    page.removeEventListener('visibilitychange', update);
    clearTimeout(timer);
    connection.stop();
  };
}
