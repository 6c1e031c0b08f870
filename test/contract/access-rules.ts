/** The rules of `contract.md` §2, "Role of each operation". */
export type AccessRule = 'open' | 'contributorRead' | 'contributor' | 'admin' | 'adminOrMcp' | 'processor';

const named: Readonly<Record<string, AccessRule>> = {
  'PATCH /api/ui/detections/{id}': 'contributor',
  'POST /api/ui/detections/{id}/confirm': 'contributor',
  'POST /api/ui/detections/{id}/revert': 'contributor',
  'GET /api/ui/dataset/export': 'contributorRead',
  'GET /api/ui/dataset/preview': 'contributorRead',
  'POST /api/ui/sightings': 'contributor',
  'PATCH /api/ui/videos/{id}': 'contributor',
  'DELETE /api/ui/videos/{id}': 'contributor',
  'GET /api/ui/videos/{id}/download': 'contributorRead',
  'POST /api/ui/hooks/preview': 'admin',
  'GET /api/ui/mqtt/refused': 'admin',
  'GET /api/ui/sources': 'admin',
  'POST /api/ui/sources': 'admin',
  'GET /api/ui/sources/{id}': 'admin',
  'PATCH /api/ui/sources/{id}': 'admin',
  'DELETE /api/ui/sources/{id}': 'admin',
  'POST /api/ui/sources/test': 'admin',
  'POST /api/ui/sources/{id}/import': 'admin',
  'GET /api/ui/shares': 'contributorRead',
  'POST /api/ui/shares': 'contributor',
  'GET /api/ui/shares/{id}': 'contributorRead',
  'DELETE /api/ui/shares/{id}': 'contributor',
  'GET /api/ui/tokens': 'admin',
  'POST /api/ui/tokens': 'admin',
  'DELETE /api/ui/tokens/{id}': 'admin',
  'GET /api/ui/settings': 'admin',
  'PATCH /api/ui/settings': 'admin',
  'PATCH /api/ui/species/{id}': 'admin',
  'POST /api/ui/species/{id}/merge': 'admin',
  'POST /api/ui/species/merges/{id}/revert': 'admin',
  'POST /api/ui/species/checklists': 'admin',
  'DELETE /api/ui/species/checklists/{publisher}': 'admin',
  'GET /api/ui/species/tidy': 'admin',
  'POST /api/ui/species/tidy': 'admin',
  'POST /api/ui/species/tidy/{id}/undo': 'admin',
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

/** The rule of an operation; undefined for one that changes something and has no rule. */
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
  'a token for processor',
  'a token for read',
  'a token for review',
  'a token for feeder',
  'a token for admin',
  'a token for admin and for processor',
  'a token for read, no password set',
  'a token that has expired',
  'a token that was revoked',
] as const;

/** One of {@link visitors}. */
export type Visitor = (typeof visitors)[number];

const lacking = 'insufficient_scope';
const invalid = 'invalid_token';

/** Of every operation alike. */
const never = {
  'a wrong token': invalid,
  'a token that has expired': invalid,
  'a token that was revoked': invalid,
} as const;

/** As whom each visitor is let in, or the code of the refusal. */
export const expectedAnswers: Readonly<Record<AccessRule, Readonly<Record<Visitor, string>>>> = {
  open: {
    ...never,
    locked: 'viewer',
    contributor: 'contributor',
    admin: 'admin',
    'the right token': 'viewer',
    'anybody, no password set': 'admin',
    'a token for processor': 'viewer',
    'a token for read': 'reader',
    'a token for review': 'contributor',
    'a token for feeder': 'viewer',
    'a token for admin': 'admin',
    'a token for admin and for processor': 'admin',
    'a token for read, no password set': 'reader',
  },
  contributorRead: {
    ...never,
    locked: 'unlock_required',
    contributor: 'contributor',
    admin: 'admin',
    'the right token': 'admin_required',
    'anybody, no password set': 'admin',
    'a token for processor': lacking,
    'a token for read': 'reader',
    'a token for review': 'contributor',
    'a token for feeder': lacking,
    'a token for admin': 'admin',
    'a token for admin and for processor': 'admin',
    'a token for read, no password set': 'reader',
  },
  contributor: {
    ...never,
    locked: 'unlock_required',
    contributor: 'contributor',
    admin: 'admin',
    'the right token': 'admin_required',
    'anybody, no password set': 'admin',
    'a token for processor': lacking,
    'a token for read': lacking,
    'a token for review': 'contributor',
    'a token for feeder': lacking,
    'a token for admin': 'admin',
    'a token for admin and for processor': 'admin',
    'a token for read, no password set': lacking,
  },
  admin: {
    ...never,
    locked: 'unlock_required',
    contributor: 'admin_required',
    admin: 'admin',
    'the right token': 'admin_required',
    'anybody, no password set': 'admin',
    'a token for processor': lacking,
    'a token for read': lacking,
    'a token for review': lacking,
    'a token for feeder': lacking,
    'a token for admin': 'admin',
    'a token for admin and for processor': 'admin',
    'a token for read, no password set': lacking,
  },
  adminOrMcp: {
    ...never,
    locked: 'unlock_required',
    contributor: 'admin_required',
    admin: 'admin',
    'the right token': 'mcp',
    'anybody, no password set': 'admin',
    'a token for processor': lacking,
    'a token for read': lacking,
    'a token for review': lacking,
    'a token for feeder': 'feeder',
    'a token for admin': 'admin',
    'a token for admin and for processor': 'admin',
    'a token for read, no password set': lacking,
  },
  processor: {
    ...never,
    locked: 'processor',
    contributor: 'processor',
    admin: 'processor',
    'the right token': 'processor',
    'anybody, no password set': 'processor',
    'a token for processor': 'processor',
    'a token for read': lacking,
    'a token for review': lacking,
    'a token for feeder': lacking,
    'a token for admin': 'processor',
    'a token for admin and for processor': 'processor',
    'a token for read, no password set': lacking,
  },
};
