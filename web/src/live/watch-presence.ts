import type { LiveConnection } from './live-connection';

/** A browser has few connections to a hub, so pages that nobody looks at leave theirs to others. */
const patienceMs = 60_000;

/** Has a connection while the page is seen, and a while longer; what is returned ends both. */
export function watchPresence(
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>,
  connection: LiveConnection,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(connection.stop, patienceMs);
    else connection.start();
  };
  page.addEventListener('visibilitychange', look);
  look();
  return () => {
    page.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    connection.stop();
  };
}
