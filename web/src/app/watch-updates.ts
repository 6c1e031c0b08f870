/**
 * Calls `onWaiting` for each newer service worker that waits while an older one controls the page. The worker that a
 * first visit installs waits for nobody: nothing controls the page before it.
 */
export function watchUpdates(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
  onWaiting: () => void,
): void {
  const offer = (worker: ServiceWorker | null) => {
    if (worker !== null && worker === registration.waiting && container.controller !== null) onWaiting();
  };
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => worker.state === 'installed' && offer(worker));
  registration.addEventListener('updatefound', () => follow(registration.installing));
  follow(registration.installing);
  offer(registration.waiting);
}

/** A worker that does not take over in this time is not waited for. */
const takeoverTimeoutMs = 3_000;

/** Lets the waiting worker take over, then reloads the page; without one, or when it does not come, reloads it anyway. */
export function applyUpdate(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
  reload: () => void,
): void {
  if (registration.waiting === null) {
    reload();
    return;
  }
  const timer = setTimeout(reload, takeoverTimeoutMs);
  container.addEventListener(
    'controllerchange',
    () => {
      clearTimeout(timer);
      reload();
    },
    { once: true },
  );
  registration.waiting.postMessage({ type: 'SKIP_WAITING' });
}
