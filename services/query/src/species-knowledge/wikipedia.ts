import type { ExternalApis } from '../external/external-apis.js';
import { ExternalServiceError, fieldsOf, requestUrl, textOrNull } from '../external/external-service.js';

/** The summary of a page, and its source. */
export interface PageSummary {
  readonly description: string | null;
  readonly imageUrl: string | null;
  readonly sourceUrl: string | null;
}

/** The licence of texts; pictures have individual licences, linked from the page. */
export const textLicence = 'CC BY-SA 4.0';

const maxDescriptionLength = 5_000;

/** Accepts only http and https URLs, which are embedded in pages. */
function webAddress(value: unknown): string | null {
  const text = textOrNull(value);
  return text && /^https?:\/\/[^\s\0]+$/.test(text) ? text : null;
}

/** Parses the summary of an article; undefined for disambiguation pages, redirects and anything else. */
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

/** Fetches the summary of a page by its title, undefined when there is none. @throws ExternalServiceError */
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
