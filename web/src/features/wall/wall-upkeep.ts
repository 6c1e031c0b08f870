import { useEffect } from 'react';
import { hubUrl } from '../../api/hub-url';
import { applyUpdate, watchUpdates } from '../../app/updates';

const updateIntervalMs = 600_000;

/** Returns the address of the script of a start page, which changes with every version. */
function scriptOf(page: Document): string | undefined {
  return page.querySelector('script[type=module][src]')?.getAttribute('src')?.split('/').at(-1);
}

/** Reloads the page when the hub has a newer version, as nobody is there to press a button. */
export function useReloadAfterUpdate(): void {
  useEffect(() => {
    const reload = () => window.location.reload();
    const container = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    let registration: ServiceWorkerRegistration | undefined;
    void container?.getRegistration().then((found) => {
      registration = found;
      if (found) watchUpdates(container, found, () => applyUpdate(container, found, reload));
    });
    const own = scriptOf(document);
    const look = async () => {
      // With a worker the start page comes from its cache.
      if (registration) return void (await registration.update());
      const response = await fetch(hubUrl('/'), { cache: 'no-store', headers: { accept: 'text/html' } });
      const page = new DOMParser().parseFromString(response.ok ? await response.text() : '', 'text/html');
      const newest = scriptOf(page);
      if (own !== undefined && newest !== undefined && newest !== own) reload();
    };
    // Fails while the hub is away.
    const timer = setInterval(() => void look().catch(() => undefined), updateIntervalMs);
    return () => clearInterval(timer);
  }, []);
}

/** Keeps the screen on where the browser can, which needs HTTPS. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    // The browser takes it away when the page is hidden.
    const keep = async () => {
      if (document.hidden || (lock && !lock.released)) return;
      lock = await navigator.wakeLock.request('screen');
      if (isOver) await lock.release();
    };
    const tryKeeping = () => void keep().catch(() => undefined);
    tryKeeping();
    document.addEventListener('visibilitychange', tryKeeping);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', tryKeeping);
      void lock?.release().catch(() => undefined);
    };
  }, []);
}
