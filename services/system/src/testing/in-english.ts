import type { Outcome } from '../channels/channel.js';
import { toEnglish } from '../channels/delivery-failures.js';

/** Returns an outcome with its failure in English. */
export async function inEnglish(sending: Promise<Outcome>) {
  const { failure, ...outcome } = await sending;
  return { ...outcome, error: failure && toEnglish(failure) };
}
