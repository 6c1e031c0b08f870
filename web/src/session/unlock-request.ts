/** What somebody may do, the least first. */
export type Role = 'contributor' | 'admin';

/** A call that waits until somebody has unlocked the hub, or would rather not. */
export interface UnlockRequest {
  readonly role: Role;
  readonly settle: (isUnlocked: boolean) => void;
}

let open: { request: UnlockRequest; outcome: Promise<boolean> } | undefined;
const listeners = new Set<() => void>();

function change(next: typeof open): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Asks the person for a password; calls that ask while the dialog is open share its outcome. */
export function askToUnlock(role: Role): Promise<boolean> {
  if (open !== undefined) return open.outcome;
  let settle: UnlockRequest['settle'] = () => undefined;
  const outcome = new Promise<boolean>((resolve) => {
    settle = (isUnlocked) => {
      change(undefined);
      resolve(isUnlocked);
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
