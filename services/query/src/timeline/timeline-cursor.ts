import { invalidField } from '@birdhub/shared/errors';

/** The place of an item in the timeline. */
export interface Place {
  readonly start: number;
  readonly id: number;
}

const form = /^(-?\d{1,15}):(-?\d{1,16})$/;
const farthest = Date.UTC(9999, 11, 31);

/** The place after which the next page starts, as an opaque text. */
export function writeCursor({ start, id }: Place): string {
  return Buffer.from(`${start}:${id}`).toString('base64url');
}

/** @throws HubError invalid_request for a text that `writeCursor` did not make */
export function readCursor(cursor: string): Place {
  const [, start, id] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { start: Number(start), id: Number(id) };
  if (writeCursor(place) === cursor && Math.abs(place.start) <= farthest) return place;
  throw invalidField('cursor', 'must be that of a Link header');
}

/** The `Link` to the page after `last`: the same address with another cursor. `url` is that of the request. */
export function linkToNextPage(prefix: string, url: string, last: Place): string {
  const [path = '', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('cursor', writeCursor(last));
  return `<${prefix}${path}?${parameters}>; rel="next"`;
}
