/** Orders that the gallery knows, the usual one first. */
export const sorts = ['count', 'name'] as const;

/** What the address of the gallery says. */
export interface GallerySearch {
  /** What is searched for. */
  readonly q?: string;
  /** Id of a family. */
  readonly family?: number;
  readonly sort?: (typeof sorts)[number];
  /** The whole catalogue, not only what was here. */
  readonly all?: true;
}

/** Takes from an address what it may say; anything else is left out. */
export function gallerySearch(raw: Record<string, unknown>): GallerySearch {
  const { q, family, sort, all } = raw;
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Number.isSafeInteger(family) && Number(family) > 0 && { family: Number(family) }),
    ...(sort === 'name' && { sort }),
    ...((all === true || all === 1) && { all: true as const }),
  };
}
