import { basePath } from '../api/base';
import { askToUnlock, type Role } from './unlock-request';

/** Whether a call is for the administrator only, as the contract says. */
async function isForAdmin({ method, url }: Request): Promise<boolean> {
  const { adminOperations } = await import('virtual:admin-operations');
  const path = new URL(url).pathname.slice(basePath.length);
  return adminOperations.some((operation) => {
    const [verb, template = ''] = operation.split(' ');
    return verb === method && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  });
}

/** Who must be there for a call that was refused; nobody when a password would not help. */
async function roleWanted(request: Request, response: Response): Promise<Role | undefined> {
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

/** `fetch` that asks for the password where the hub is locked, then does what was being done. */
export async function unlockingFetch(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  const role = await roleWanted(again, response);
  if (role === undefined || !(await askToUnlock(role))) return response;
  return fetch(again);
}
