import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { Empty, Failure } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { toFindable } from '../../lib/rank-species';
import { speciesListQuery } from '../../lib/species-list';
import { filterSpecies } from './filter-species';
import { GalleryFilters } from './gallery-filters';
import type { GallerySearch } from './gallery-search';
import { SpeciesCard } from './species-card';
import classes from './species-card.module.css';
import { type Family, familiesQuery, observedQuery, type Species } from './species-queries';
import { familyOfEach, kindsOnly } from './species-tree';

/** Pictures that are in sight at once. */
const urgentCards = 8;

function NoSpecies({ search }: { readonly search: GallerySearch }) {
  const { t } = useTranslation('species');
  const isNarrowed = search.q !== undefined || search.family !== undefined;
  return (
    <Empty
      title={t(isNarrowed ? 'none_found' : 'none_yet')}
      action={
        search.all !== true && (
          <Button renderRoot={(props) => <Link to="/species" search={{ ...search, all: true }} {...props} />}>
            {t('look_in_catalogue')}
          </Button>
        )
      }
    >
      {t(isNarrowed ? 'none_found_hint' : 'none_yet_hint')}
    </Empty>
  );
}

interface GalleryProps {
  readonly search: GallerySearch;
  readonly species: readonly Species[];
  readonly families: readonly Family[];
}

function Gallery({ search, species, families }: GalleryProps) {
  const { t, i18n } = useTranslation('species');
  const nameOf = useSpeciesName();
  const kinds = useMemo(() => toFindable(kindsOnly(species, families), nameOf), [species, families, nameOf]);
  const { data: tree = species } = useQuery(speciesListQuery);
  const familyOf = useMemo(() => familyOfEach(tree, families), [tree, families]);
  const present = new Set(kinds.map(({ species: { id } }) => familyOf.get(id)));
  const shown = filterSpecies(kinds, search, familyOf, i18n.resolvedLanguage ?? 'en');
  return (
    <>
      <GalleryFilters search={search} families={families.filter(({ id }) => present.has(id))} />
      <VisuallyHidden role="status">{t('shown', { count: shown.length })}</VisuallyHidden>
      {shown.length === 0 && <NoSpecies search={search} />}
      <div className={classes['grid']}>
        {shown.map(({ species: { id, scientific_name, image_url, visits, heard_only }, name }, place) => (
          <SpeciesCard
            key={id}
            id={id}
            name={name}
            scientificName={scientific_name}
            imageUrl={image_url}
            visits={visits}
            isHeardOnly={heard_only}
            isUrgent={place < urgentCards}
          />
        ))}
      </div>
    </>
  );
}

/** The species that were here, or all that the hub knows. */
export function SpeciesGallery() {
  const { t } = useTranslation('species');
  const search = useSearch({ from: '/species' });
  const families = useQuery(familiesQuery);
  const species = useQuery(search.all ? speciesListQuery : observedQuery);
  const error = species.error ?? families.error;
  const again = () => void Promise.all([species.refetch(), families.refetch()]);
  return (
    <Page title={t('title')}>
      {species.data && families.data ? (
        <Gallery search={search} species={species.data} families={families.data} />
      ) : error ? (
        <Failure error={error} onRetry={again} />
      ) : (
        <div className={classes['grid']} role="status" aria-label={t('loading')}>
          {Array.from({ length: urgentCards }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all the same.
            <Skeleton key={place} height={220} radius="md" />
          ))}
        </div>
      )}
    </Page>
  );
}
