import { currentSpeciesSql } from '@birdhub/domain/species';

/**
 * SQL for a species and all below it that had visits, one row each: `id`, and `branch`, the child of the species that it
 * belongs to, null for the species itself. `species` is the parameter that names it.
 */
export const kinSql = (species: string): string => `
  WITH RECURSIVE kin (id, branch) AS (
    SELECT id, NULL::integer FROM species WHERE id = ${currentSpeciesSql(species)}
    UNION
    SELECT species.id, coalesce(branch, species.id) FROM kin JOIN species ON parent_id = kin.id
  )
  SELECT id, branch FROM kin WHERE id IN (SELECT species_id FROM species_total)`;
