/**
 * SQL: `kind`, the classification of a species for Camtrap DP. A form without a scientific name, such as the feral
 * pigeon, is exported as its species (`of_form`); a bird without one, and the generic bird, as their class, another
 * animal as its kingdom. Hybrids and species pairs are a `group`, as they have no rank. A noise is not an animal.
 */
export const kindSql = `kind AS MATERIALIZED (
  SELECT own.id AS species_id, own.name, of_form,
    CASE WHEN of_form THEN parent.name WHEN own.species_group <> 'noise' THEN own.name END AS taxon_name,
    CASE WHEN scientific = 'Homo sapiens' OR (own.species_group = 'noise' AND own.name = 'Human Voice') THEN 'human'
      WHEN own.species_group = 'noise' OR (own.generic AND own.name NOT IN ('Bird', 'Birds')) THEN 'unknown'
      ELSE 'animal' END AS type,
    CASE WHEN own.species_group = 'noise' THEN CASE WHEN own.name = 'Human Voice' THEN 'Homo sapiens' END
      WHEN own.generic THEN CASE WHEN own.name IN ('Bird', 'Birds') THEN 'Aves' END
      WHEN scientific IS NOT NULL THEN scientific
      WHEN own.species_group = 'bird' THEN 'Aves' ELSE 'Animalia' END AS taxon,
    CASE WHEN own.species_group = 'noise' THEN 'noise'
      WHEN own.generic THEN 'class'
      WHEN scientific IS NULL THEN CASE WHEN own.species_group = 'bird' THEN 'class' ELSE 'kingdom' END
      WHEN scientific ~ ' [x×] |/| spp?[.]' THEN 'group'
      WHEN of_form THEN parent.rank
      WHEN own.rank = 'form' AND scientific ~ '^\\S+ \\S+ \\S+$' THEN 'subspecies' ELSE own.rank END AS rank
  FROM species own LEFT JOIN species parent ON parent.id = own.parent_id
    CROSS JOIN LATERAL (
      SELECT own.rank = 'form' AND coalesce(own.scientific_name, '') = '' AND coalesce(parent.scientific_name, '') <> '' AS of_form
    ) form
    CROSS JOIN LATERAL (
      SELECT nullif(CASE WHEN of_form THEN parent.scientific_name ELSE own.scientific_name END, '') AS scientific
    ) given)`;

/** SQL: whether a `rank` of {@link kindSql} represents an animal without a scientific name. */
export const isUnnamed = (rank: string): string => `${rank} IN ('class', 'kingdom')`;

const plumageHas = (plumage: string, words: string) => `${plumage} ~* '\\m(${words})\\M'`;

/** SQL: the sex of a plumage, if unambiguous. */
export const sexSql = (plumage: string): string => `CASE
  WHEN ${plumageHas(plumage, 'female')} AND NOT ${plumageHas(plumage, 'male')} THEN 'female'
  WHEN ${plumageHas(plumage, 'male')} AND NOT ${plumageHas(plumage, 'female')} THEN 'male' END`;

/** SQL: the life stage of a plumage. */
export const lifeStageSql = (plumage: string): string => `CASE
  WHEN ${plumageHas(plumage, 'juvenile|fledgling|nestling|chick')} THEN 'juvenile'
  WHEN ${plumageHas(plumage, 'immature|subadult')} THEN 'subadult' WHEN ${plumageHas(plumage, 'adult')} THEN 'adult' END`;
