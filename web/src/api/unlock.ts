import { useEffect, useEffectEvent } from 'react';
import { basePath } from './hub-url';

/** Whether the contract reserves a call for the administrator. */
async function isForAdmin({ method, url }: Request): Promise<boolean> {
  const { adminOperations } = await import('virtual:admin-operations');
  const path = new URL(url).pathname.slice(basePath.length);
  return adminOperations.some((operation) => {
    const [verb, template = ''] = operation.split(' ');
    return verb === method && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  });
}

/** Returns the role that a rejected call needs; undefined if a password would not help. */
async function requiredRole(request: Request, response: Response): Promise<Role | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
  if (code === 'unlock_required') return (await isForAdmin(request)) ? 'admin' : 'contributor';
  if (code === 'admin_required') return 'admin';
  return response.status === 401 && code !== 'wrong_password' ? 'admin' : undefined;
}

/** How often the hub was unlocked on this page. */
let unlocks = 0;

/** `fetch` that asks for the password when the hub is locked, then repeats the request. */
export async function fetchWithUnlock(request: Request): Promise<Response> {
  const again = request.clone();
  const unlocksBefore = unlocks;
  const response = await fetch(request);
  const role = await requiredRole(again, response);
  if (role === undefined || isSilent) return response;
  // The hub was unlocked while the request was on its way.
  if (unlocks > unlocksBefore) return fetchWithUnlock(again);
  return (await requestUnlock(role)) ? fetch(again) : response;
}

let isSilent = false;

/** Calls that are refused during `work` do not ask for the password. */
export async function withoutUnlock(work: () => Promise<unknown>): Promise<void> {
  isSilent = true;
  await work().finally(() => {
    isSilent = false;
  });
}

/** Roles, fewest rights first. */
export type Role = 'contributor' | 'admin';

/** Waits until the hub is unlocked or the dialog is closed. */
export interface UnlockRequest {
  readonly role: Role;
  readonly settle: (isUnlocked: boolean) => void;
}

let open: { request: UnlockRequest; outcome: Promise<boolean> } | undefined;
const listeners = new Set<() => void>();
const unlockListeners = new Set<() => void>();

/** Calls `listener` whenever the hub has been unlocked, for what the browser loads by itself, such as pictures. */
export function useOnUnlock(listener: () => void): void {
  const onUnlock = useEffectEvent(listener);
  useEffect(() => {
    const own = () => onUnlock();
    unlockListeners.add(own);
    return () => void unlockListeners.delete(own);
  }, []);
}

function countUnlock(): void {
  unlocks += 1;
  for (const listener of unlockListeners) listener();
}

/** Reports that the hub was unlocked without the dialog, which is closed if it is open. */
export function reportUnlock(): void {
  if (open === undefined) countUnlock();
  else open.request.settle(true);
}

function change(next: typeof open): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens the password dialog; concurrent calls share its outcome. */
export function requestUnlock(role: Role): Promise<boolean> {
  if (open !== undefined) return open.outcome;
  let settle: UnlockRequest['settle'] = () => undefined;
  const outcome = new Promise<boolean>((resolve) => {
    settle = (isUnlocked) => {
      change(undefined);
      resolve(isUnlocked);
      if (isUnlocked) countUnlock();
    };
  });
  change({ request: { role, settle }, outcome });
  return outcome;
}

/** For `useSyncExternalStore`. */
export const unlockRequests = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): UnlockRequest | undefined => open?.request,
};
