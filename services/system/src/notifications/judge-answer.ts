import { RefusedAddressError } from '../outgoing/outgoing-guard.js';
import { NoAnswerError, type OutgoingAnswer } from '../outgoing/send-request.js';
import type { Outcome } from './channel.js';

const tooManyRequests = 429;

/** What an answer means for a message: what was refused for the moment may be tried again. */
export function judgeAnswer({ status, retryAfter }: OutgoingAnswer): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent', error: null };
  const error = `answered ${status}`;
  if (status === tooManyRequests || status >= 500) return { state: 'retry', error, retryAfter };
  return { state: 'failed', error };
}

/**
 * What it means that none came. Where a connection stood the message may have arrived, and one that comes twice is
 * worse than one that does not come.
 */
export function judgeFailure(error: unknown): Outcome {
  if (error instanceof RefusedAddressError) return { state: 'failed', error: error.message };
  if (!(error instanceof NoAnswerError)) throw error;
  const isFinal = error.mayHaveArrived || error.cause instanceof RefusedAddressError;
  return { state: isFinal ? 'failed' : 'retry', error: error.message };
}
