import { hub, unwrap } from '../../api/client';
import type { Call } from './review-queue';

/** Tells the hub; the browser finishes the call even when the page is closed meanwhile. @throws Problem */
export async function carryOut({ kind, step: { items, verdict } }: Call): Promise<number> {
  const options = { params: { path: { id: items[0].id } }, keepalive: true };
  if (kind === 'revert') {
    return (await unwrap(hub.POST('/api/ui/detections/{id}/revert', options))).updated_count;
  }
  if (verdict.kind === 'correct') {
    const body = { species_id: verdict.speciesId, apply_scope: verdict.scope };
    return (await unwrap(hub.PATCH('/api/ui/detections/{id}', { ...options, body }))).updated_count;
  }
  return (await unwrap(hub.POST('/api/ui/detections/{id}/confirm', options))).updated_count;
}
