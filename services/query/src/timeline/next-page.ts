import { type Place, writeCursor } from './timeline-cursor.js';

/** The `Link` to the page after `last`: the same address with another cursor. `url` is that of the request. */
export function linkToNextPage(prefix: string, url: string, last: Place): string {
  const [path = '', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('cursor', writeCursor(last));
  return `<${prefix}${path}?${parameters}>; rel="next"`;
}
