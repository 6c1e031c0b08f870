import type { ExternalApis } from '../external/external-apis.js';
import { ExternalServiceError, fieldsOf, requestUrl, textOrNull } from '../external/external-service.js';

/** What a page says of a species, and where that is from. */
export interface PageSummary {
  readonly description: string | null;
  readonly imageUrl: string | null;
  readonly sourceUrl: string | null;
}

/** The licence of the text; pictures have one each, which the page leads to. */
export const textLicence = 'CC BY-SA 4.0';

const maxDescriptionLength = 5_000;

/** Nothing but http and https is ever put into a page. */
function webAddress(value: unknown): string | null {
  const text = textOrNull(value);
  return text && /^https?:\/\/[^\s\0]+$/.test(text) ? text : null;
}

/** The summary of a page about one thing; undefined for a list of meanings, a redirect or anything else. */
export function readSummary(response: unknown): PageSummary | undefined {
  const { type, extract, thumbnail, originalimage, content_urls } = fieldsOf(response);
  if (type !== 'standard') return undefined;
  const text = textOrNull(extract)?.replaceAll('\0', '').slice(0, maxDescriptionLength).toWellFormed();
  return {
    description: text || null,
    imageUrl: webAddress(fieldsOf(thumbnail)['source']) ?? webAddress(fieldsOf(originalimage)['source']),
    sourceUrl: webAddress(fieldsOf(fieldsOf(content_urls)['desktop'])['page']),
  };
}

/**
 * The summary of the page of that title in the encyclopedia of that address, undefined when there is none.
 * @throws ExternalServiceError
 */
export async function fetchSummary(
  { services }: Pick<ExternalApis, 'services'>,
  address: string,
  title: string,
): Promise<PageSummary | undefined> {
  const page = encodeURIComponent(title.replaceAll(' ', '_'));
  const url = requestUrl(address, `/page/summary/${page}`);
  try {
    return readSummary(await services.wikipedia.getJson({ url, followsRedirects: true }));
  } catch (error) {
    if (error instanceof ExternalServiceError && error.isMissing) return undefined;
    throw error;
  }
}
