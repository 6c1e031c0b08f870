import { invalidField } from '@birdhub/shared/errors';

/** The position of an item in the timeline. */
export interface Place {
  readonly start: number;
  readonly id: number;
}

const form = /^(-?\d{1,15}):(-?\d{1,16})$/;
const farthest = Date.UTC(9999, 11, 31);

/** Encodes the position after which the next page starts as an opaque text. */
export function writeCursor({ start, id }: Place): string {
  return Buffer.from(`${start}:${id}`).toString('base64url');
}

/** Decodes a cursor. @throws HubError invalid_request for an invalid cursor */
export function readCursor(cursor: string): Place {
  const [, start, id] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { start: Number(start), id: Number(id) };
  if (writeCursor(place) === cursor && Math.abs(place.start) <= farthest) return place;
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
