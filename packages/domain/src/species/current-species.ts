/** SQL for the species that a parameter names, or the one that this was merged into; null when there is none. */
export const currentSpeciesSql = (species: string): string =>
  `(SELECT coalesce(merged_into, id) FROM species WHERE id = ${species}::bigint)`;
