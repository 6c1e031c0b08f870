import { invalidField } from '@birdhub/shared/errors';

/** The position of an item in the timeline. */
export interface Place {
  readonly start: number;
  readonly id: number;
}

const form = /^(-?\d{1,15}):(-?\d{1,16})$/;
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T00:00:00Z');

/** Encodes the position after which the next page starts as an opaque text. */
export function writeCursor({ start, id }: Place): string {
  return Buffer.from(`${start}:${id}`).toString('base64url');
}

/** Decodes a cursor. @throws HubError invalid_request for an invalid cursor */
export function readCursor(cursor: string): Place {
  const [, start, id] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { start: Number(start), id: Number(id) };
  const isStorable = place.start >= earliest && place.start <= latest;
  if (isStorable && writeCursor(place) === cursor) return place;
  throw invalidField('cursor', 'must be a cursor from a Link header');
}

/** Returns the address of a page: its path, and the parameters of the requested URL that the schema declares. */
export function pageUrl(
  path: string,
  requested: string,
  { properties }: { readonly properties: object },
): string {
  const [, ...query] = requested.split('?');
  const declared = [...new URLSearchParams(query.join('?'))].filter(([name]) =>
    Object.hasOwn(properties, name),
  );
  return `${path}?${new URLSearchParams(declared)}`;
}

/** Returns the `Link` to the page after `last`: the URL of the page with another cursor. */
export function linkToNextPage(prefix: string, url: string, last: Place): string {
  const [path = '', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('cursor', writeCursor(last));
  return `<${prefix}${path}?${parameters}>; rel="next"`;
}
