import type { IncomingHttpHeaders } from 'node:http';
import { HubError } from '@birdhub/shared/errors';
import type { Settings } from './settings-schema.js';

const unlockedCallers: readonly unknown[] = ['contributor', 'admin'];

/**
 * Lets only those who unlocked the hub see recordings, and pictures of whole frames, when the settings ask for that.
 * @throws HubError unlock_required
 */
export function requireUnlocked(
  request: { readonly headers: IncomingHttpHeaders },
  { general }: Settings,
): void {
  const asked: Record<string, unknown> = general;
  if (asked['require_auth_for_video_stream'] !== true) return;
  if (!unlockedCallers.includes(request.headers['x-hub-caller'])) throw new HubError('unlock_required');
}
