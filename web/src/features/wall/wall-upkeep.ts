import { useEffect } from 'react';
import { hubUrl } from '../../api/hub-url';
import { applyUpdate, watchUpdates } from '../../app/updates';

const updateIntervalMs = 600_000;

/** Returns the URL of the main script of a page, which changes with every version. */
function scriptOf(page: Document): string | undefined {
  return page.querySelector('script[type=module][src]')?.getAttribute('src')?.split('/').at(-1);
}

/** Reloads the page when the hub has a newer version, as nobody is there to press the update button. */
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
    const checkVersion = async () => {
      // With a service worker, the start page is served from its cache.
      if (registration) return void (await registration.update());
      const response = await fetch(hubUrl('/'), { cache: 'no-store', headers: { accept: 'text/html' } });
      const page = new DOMParser().parseFromString(response.ok ? await response.text() : '', 'text/html');
      const newest = scriptOf(page);
      if (own !== undefined && newest !== undefined && newest !== own) reload();
    };
    // Fails while the hub is unreachable.
    const timer = setInterval(() => void checkVersion().catch(() => undefined), updateIntervalMs);
    return () => clearInterval(timer);
  }, []);
}

/** Keeps the screen on if the browser supports it, which requires HTTPS. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    // The browser releases the lock when the page is hidden.
    const keep = async () => {
      if (document.hidden || (lock && !lock.released)) return;
      lock = await navigator.wakeLock.request('screen');
      if (isOver) await lock.release();
    };
    const requestLock = () => void keep().catch(() => undefined);
    requestLock();
    document.addEventListener('visibilitychange', requestLock);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', requestLock);
      void lock?.release().catch(() => undefined);
    };
  }, []);
}
