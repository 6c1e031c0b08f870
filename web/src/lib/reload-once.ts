const storageKey = 'birdhub.reloaded';

/** The address of this build's script: a reload that loads a newer build may be followed by another. */
const build = import.meta.url;

/** Whether the hub can be reached. */
export const isReachable = () =>
  fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Reloads the page to get the scripts of an updated hub, once per build. Returns false if it was reloaded before, or if
 * the hub cannot be reached, where a reload would leave no page at all.
 */
export async function reloadOnce(reload: () => void = () => window.location.reload()): Promise<boolean> {
  try {
    if (sessionStorage.getItem(storageKey) === build || !(await isReachable())) return false;
    sessionStorage.setItem(storageKey, build);
  } catch {
    // The browser blocks storage: it would be reloaded again and again.
    return false;
  }
  reload();
  return true;
}
