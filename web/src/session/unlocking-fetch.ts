import { askToUnlock, type Role } from './unlock-request';

const roles: Readonly<Record<string, Role>> = { unlock_required: 'contributor', admin_required: 'admin' };

/** Who must be there for an answer that was refused; nobody when a password would not help. */
async function roleWanted(response: Response): Promise<Role | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
  if (code === 'wrong_password') return undefined;
  return roles[code] ?? (response.status === 401 ? 'admin' : undefined);
}

/** `fetch` that asks for the password where the hub is locked, then does what was being done. */
export async function unlockingFetch(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  const role = await roleWanted(response);
  if (role === undefined || !(await askToUnlock(role))) return response;
  return fetch(again);
}
