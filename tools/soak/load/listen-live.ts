import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { FollowedEvents, parseEvent } from './follow-events.js';

/** A client of the live events that does not reconnect. */
export interface LiveListener {
  readonly events: FollowedEvents;
  close(): void;
}

/** Reads `GET /api/ui/events` until it is closed; calls `onRecording` for each recording. */
export async function listenLive(
  baseUrl: string,
  address: string,
  onRecording: (videoId: number) => void,
): Promise<LiveListener> {
  const headers = { accept: 'text/event-stream', 'x-forwarded-for': address };
  const request = get(`${baseUrl}/api/ui/events`, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the event stream returned ${response.statusCode}`);
  const events = new FollowedEvents();
  let isClosed = false;
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const recording = events.take(parseEvent(block));
      if (recording) onRecording(recording.video_id);
    }
  });
  const note = () => {
    if (!isClosed) events.breaks.push(`ended behind ${events.position}`);
    isClosed = true;
  };
  response.on('error', note).on('close', note);
  request.on('error', note);
  const close = () => {
    isClosed = true;
    request.destroy();
  };
  return { events, close };
}
