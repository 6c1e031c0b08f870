/** Orders of the gallery, default first. */
export const sorts = ['count', 'recent', 'name'] as const;

/** Search parameters of the gallery. */
export interface GallerySearch {
  /** Search text. */
  readonly q?: string;
  /** Id of a family. */
  readonly family?: number;
  readonly sort?: (typeof sorts)[number];
  /** The complete catalogue instead of observed species. */
  readonly all?: true;
}

/** Validates search parameters; invalid ones are dropped. */
export function gallerySearch(raw: Record<string, unknown>): GallerySearch {
  const { q, family, sort, all } = raw;
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Number.isSafeInteger(family) && Number(family) > 0 && { family: Number(family) }),
    ...((sort === 'name' || sort === 'recent') && { sort }),
    ...((all === true || all === 1) && { all: true as const }),
  };
}
