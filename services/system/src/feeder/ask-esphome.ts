import { HubError } from '@birdhub/shared/errors';
import { toRequest } from '../status/reach-device.js';

const patienceMs = 5_000;

/**
 * Tells an ESPHome device to do something by its web server (`/switch/<id>/turn_on` and the like); false when it
 * answered that it did not.
 * @throws HubError upstream_unavailable or upstream_timeout when nobody knows whether it did
 */
export async function askEsphome(
  address: string,
  domain: string,
  id: string,
  action: string,
): Promise<boolean> {
  const target = `${address.replace(/\/+$/, '')}/${domain}/${encodeURIComponent(id)}/${action}`;
  const signal = AbortSignal.timeout(patienceMs);
  let answer: Response;
  try {
    const { url, headers } = toRequest(target);
    answer = await fetch(url, { method: 'POST', headers, signal, redirect: 'manual' });
    await answer.body?.cancel();
  } catch (cause) {
    if (signal.aborted)
      throw new HubError('upstream_timeout', { message: 'The feeder did not answer in time.', cause });
    throw new HubError('upstream_unavailable', { message: 'The feeder is not reachable.', cause });
  }
  if (answer.status < 500) return answer.ok;
  throw new HubError('upstream_unavailable', { message: `The feeder answered with ${answer.status}.` });
}
