/** The rules of `contract.md` §2, "Role of each operation". */
export type AccessRule = 'open' | 'contributor' | 'admin' | 'adminOrMcp' | 'processor';

const named: Readonly<Record<string, AccessRule>> = {
  'PATCH /api/ui/detections/{id}': 'contributor',
  'POST /api/ui/detections/{id}/confirm': 'contributor',
  'POST /api/ui/detections/{id}/revert': 'contributor',
  'GET /api/ui/dataset/export': 'contributor',
  'GET /api/ui/dataset/preview': 'contributor',
  'PATCH /api/ui/videos/{id}': 'contributor',
  'DELETE /api/ui/videos/{id}': 'contributor',
  'GET /api/ui/videos/{id}/download': 'contributor',
  'GET /api/ui/settings': 'admin',
  'PATCH /api/ui/settings': 'admin',
  'PATCH /api/ui/species/{id}': 'admin',
  'POST /api/ui/species/{id}/merge': 'admin',
  'POST /api/ui/species/merges/{id}/revert': 'admin',
  'POST /api/ui/birdfood': 'admin',
  'PATCH /api/ui/birdfood/{id}/toggle': 'admin',
  'POST /api/ui/feed/dispense': 'adminOrMcp',
  'POST /api/ui/restart-processor': 'admin',
  'POST /api/ui/storage/purge': 'admin',
  'GET /api/ui/system/logs': 'admin',
  'GET /api/ui/system/retention': 'admin',
  'GET /api/ui/push/deliveries': 'admin',
  'POST /api/ui/push/subscribe': 'open',
  'POST /api/ui/push/unsubscribe': 'open',
  'POST /api/ui/notify/test': 'admin',
  'POST /api/ui/settings/verify-password': 'open',
  'POST /api/ui/settings/logout': 'open',
};

/** The rule of an operation; undefined for one that changes something and that nobody has given a rule. */
export function accessRuleOf(method: string, path: string): AccessRule | undefined {
  const own = named[`${method} ${path}`];
  if (own) return own;
  if (path.startsWith('/api/processor/')) return 'processor';
  if (method === 'POST' && path.startsWith('/api/ui/system/')) return 'admin';
  return method === 'GET' ? 'open' : undefined;
}

/** Those who may stand before the hub. */
export const visitors = [
  'locked',
  'contributor',
  'admin',
  'the right token',
  'a wrong token',
  'anybody, no password set',
] as const;

/** One of {@link visitors}. */
export type Visitor = (typeof visitors)[number];

/** As whom each visitor is let in, or the code of the refusal. */
export const expectedAnswers: Readonly<Record<AccessRule, Readonly<Record<Visitor, string>>>> = {
  open: {
    locked: 'viewer',
    contributor: 'contributor',
    admin: 'admin',
    'the right token': 'viewer',
    'a wrong token': 'invalid_token',
    'anybody, no password set': 'admin',
  },
  contributor: {
    locked: 'unlock_required',
    contributor: 'contributor',
    admin: 'admin',
    'the right token': 'admin_required',
    'a wrong token': 'invalid_token',
    'anybody, no password set': 'admin',
  },
  admin: {
    locked: 'unlock_required',
    contributor: 'admin_required',
    admin: 'admin',
    'the right token': 'admin_required',
    'a wrong token': 'invalid_token',
    'anybody, no password set': 'admin',
  },
  adminOrMcp: {
    locked: 'unlock_required',
    contributor: 'admin_required',
    admin: 'admin',
    'the right token': 'mcp',
    'a wrong token': 'invalid_token',
    'anybody, no password set': 'admin',
  },
  processor: {
    locked: 'processor',
    contributor: 'processor',
    admin: 'processor',
    'the right token': 'processor',
    'a wrong token': 'invalid_token',
    'anybody, no password set': 'processor',
  },
};
