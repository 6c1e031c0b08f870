import { drawNewRecording, toBody } from './recording-body.js';
import type { WireRequest } from './wire-request.js';

/** The requests of a load; the same number always results in the same request. */
export type RequestPlan =
  | { readonly kind: 'same'; readonly request: WireRequest }
  | { readonly kind: 'each-of-many'; readonly path: string; readonly first: number; readonly count: number }
  | { readonly kind: 'shifting-window'; readonly path: string; readonly start: number; readonly end: number }
  | { readonly kind: 'new-recordings'; readonly path: string };

/** Returns the request with a number. */
export type RequestSource = (number: number) => WireRequest;

/**
 * Windows whose start moves by a millisecond each time. While it stays in the night, when there are no recordings, the
 * responses have the same bytes, but no cached response can be used.
 */
function shiftingWindow(path: string, start: number, end: number): RequestSource {
  return (number) => {
    const from = (start + number) / 1000;
    return { method: 'GET', path: `${path}?start_time=${from}&end_time=${end / 1000}` };
  };
}

/** A prime, so that each is requested once before any is requested again. */
const stride = 7_919;

/** Requests numbered objects so that consecutive ones are far apart in the store. */
function eachOfMany(path: string, first: number, count: number): RequestSource {
  return (number) => ({ method: 'GET', path: `${path}${first + ((number * stride) % count)}` });
}

/** Creates the source for the requests of a plan. */
export function createRequestSource(plan: RequestPlan): RequestSource {
  switch (plan.kind) {
    case 'same':
      return () => plan.request;
    case 'each-of-many':
      return eachOfMany(plan.path, plan.first, plan.count);
    case 'shifting-window':
      return shiftingWindow(plan.path, plan.start, plan.end);
    case 'new-recordings':
      return (number) => ({ method: 'POST', path: plan.path, body: toBody(drawNewRecording(number)) });
  }
}
