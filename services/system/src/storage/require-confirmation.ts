import { HubError } from '@birdhub/shared/errors';

/**
 * A slip of the hand, or a setting that means something else than was thought, takes at most half of everything.
 * @throws HubError confirm_required
 */
export function requireConfirmation(going: number, total: number, isConfirmed: boolean): void {
  if (isConfirmed || going * 2 <= total) return;
  const message = `must be true, as ${going} of ${total} recordings would go`;
  throw new HubError('confirm_required', { details: [{ path: '/confirm', message }] });
}
