import { drawNewRecording, toBody } from './recording-body.js';
import type { WireRequest } from './wire-request.js';

/** What a load sends; the same numbers give the same requests. */
export type RequestPlan =
  | { readonly kind: 'same'; readonly request: WireRequest }
  | { readonly kind: 'each-of-many'; readonly path: string; readonly first: number; readonly count: number }
  | { readonly kind: 'shifting-window'; readonly path: string; readonly start: number; readonly end: number }
  | { readonly kind: 'new-recordings'; readonly path: string };

/** The request of a number. */
export type RequestSource = (number: number) => WireRequest;

/**
 * Windows whose start moves by a millisecond each time. As long as it moves within the night, when there are no
 * recordings, the answer is the same bytes, and yet no answer that was kept can be reused.
 */
function shiftingWindow(path: string, start: number, end: number): RequestSource {
  return (number) => {
    const from = (start + number) / 1000;
    return { method: 'GET', path: `${path}?start_time=${from}&end_time=${end / 1000}` };
  };
}

/** A prime, so that each is requested once before any is requested again. */
const stride = 7_919;

/** Numbered things all over the store, one after the other far apart. */
function eachOfMany(path: string, first: number, count: number): RequestSource {
  return (number) => ({ method: 'GET', path: `${path}${first + ((number * stride) % count)}` });
}

/** Makes the requests of a plan. */
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
