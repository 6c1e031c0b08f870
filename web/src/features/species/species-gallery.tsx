import {
  Button,
  CloseButton,
  Group,
  SegmentedControl,
  Select,
  Skeleton,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { Empty, Failure } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow } from '../../lib/clock';
import { useHiddenAnimals } from '../../lib/other-animals';
import { toFindable } from '../../lib/rank-species';
import { speciesListQuery } from '../../lib/species-list';
import { type GallerySearch, sorts } from './gallery-search';
import { familyOfEach, filterSpecies, listKinds, listNew } from './gallery-species';
import { SpeciesCard } from './species-card';
import classes from './species-card.module.css';
import { type Family, familiesQuery, observedQuery, type Species } from './species-queries';

/** Number of pictures that load eagerly. */
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

/** Changes filters and order of the gallery, which are kept in the URL. */
function useChange(search: GallerySearch): (next: Partial<Record<keyof GallerySearch, unknown>>) => void {
  const navigate = useNavigate();
  return (next) =>
    void navigate({
      to: '/species',
      search: { ...search, ...next } as GallerySearch,
      replace: true,
      resetScroll: false,
    });
}

interface GalleryProps {
  readonly search: GallerySearch;
  readonly species: readonly Species[];
  readonly families: readonly Family[];
}

function Gallery({ search, species, families }: GalleryProps) {
  const { t, i18n } = useTranslation('species');
  const nameOf = useSpeciesName();
  const change = useChange(search);
  const [areAnimalsHidden] = useHiddenAnimals();
  const kinds = useMemo(
    () => toFindable(listKinds(species, families, areAnimalsHidden), nameOf),
    [species, families, areAnimalsHidden, nameOf],
  );
  const { data: tree = species } = useQuery(speciesListQuery);
  const familyOf = useMemo(() => familyOfEach(tree, families), [tree, families]);
  const present = new Set(kinds.map(({ species: { id } }) => familyOf.get(id)));
  const { data: visited } = useQuery(observedQuery);
  const observed = useMemo(() => new Map(visited?.map((one) => [one.id, one])), [visited]);
  const now = useNow();
  const recent = useMemo(() => listNew(observed, now), [observed, now]);
  const wanted = useDeferredValue(search);
  const shown = filterSpecies(kinds, wanted, familyOf, i18n.resolvedLanguage ?? 'en', observed);
  const detected = tree.filter(({ active }) => active);
  return (
    <>
      <GalleryFilters search={search} families={families.filter(({ id }) => present.has(id))} />
      <Group justify="space-between" gap="xs" mb="sm">
        <Text role="status" size="sm" c="dimmed">
          {[
            t('shown', { count: shown.length }),
            detected.length > 0 &&
              t('of_detected', {
                count: detected.length,
                seen: detected.filter(({ visits }) => visits > 0).length,
              }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Switch
          label={t('whole_catalogue')}
          checked={search.all === true}
          onChange={({ currentTarget }) => change({ all: currentTarget.checked || undefined })}
        />
      </Group>
      {shown.length === 0 && <NoSpecies search={search} />}
      <div className={classes['grid']}>
        {shown.map(({ species: { id, scientific_name, image_url, visits, heard_only }, name }, index) => (
          <SpeciesCard
            key={id}
            id={id}
            name={name}
            scientificName={scientific_name}
            imageUrl={image_url}
            visits={visits}
            isHeardOnly={heard_only}
            isUrgent={index < urgentCards}
            thumbhash={observed.get(id)?.thumbhash ?? null}
            presence={observed.get(id)}
            isNew={recent.has(id)}
          />
        ))}
      </div>
    </>
  );
}

/** Gallery of observed species or of the complete catalogue. */
export function SpeciesGallery() {
  const { t } = useTranslation('species');
  const search = useSearch({ from: '/species' });
  const families = useQuery(familiesQuery);
  const catalogue = useQuery({ ...speciesListQuery, enabled: search.all === true });
  const observed = useQuery(observedQuery);
  const species = search.all ? catalogue : observed;
  const error = species.error ?? families.error;
  const again = () => void Promise.all([species.refetch(), families.refetch()]);
  return (
    <Page isWide title={t('title')}>
      {species.data && families.data ? (
        <Gallery search={search} species={species.data} families={families.data} />
      ) : error ? (
        <Failure error={error} onRetry={again} />
      ) : (
        <div className={classes['grid']} role="status" aria-label={t('loading')}>
          {Array.from({ length: urgentCards }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all the same.
            <Skeleton key={index} height={220} radius="md" />
          ))}
        </div>
      )}
    </Page>
  );
}

const typingMs = 250;

/** The text of a field that changes the URL after a pause, as the URL changes too late to control the field. */
function useTyped(
  query: string | undefined,
  onPause: (query: string | undefined) => void,
): readonly [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(query ?? '');
  const sent = useRef(query);
  // The URL has been changed by a link or the history.
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setTyped(query ?? '');
  }, [query]);
  const send = useEffectEvent((text: string) => {
    sent.current = text || undefined;
    if (sent.current !== query) onPause(sent.current);
  });
  useEffect(() => {
    const timer = setTimeout(() => send(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}

interface GalleryFiltersProps {
  readonly search: GallerySearch;
  /** Families with species to show. */
  readonly families: readonly Family[];
}

/** Filters and order of the gallery. */
function GalleryFilters({ search, families }: GalleryFiltersProps) {
  const { t, i18n } = useTranslation('species');
  const nameOf = useSpeciesName();
  const change = useChange(search);
  const [typed, type] = useTyped(search.q, (q) => change({ q }));
  const options = families
    .map(({ id, name }) => ({ value: String(id), label: nameOf(name) }))
    .sort((one, other) => one.label.localeCompare(other.label, i18n.resolvedLanguage));
  return (
    <Group mb="sm" gap="sm">
      <TextInput
        aria-label={t('search')}
        placeholder={t('search_hint')}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={typed !== '' && <CloseButton aria-label={t('clear')} onClick={() => type('')} />}
        type="search"
        flex="1 1 220px"
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Select
        aria-label={t('family')}
        placeholder={t('all_families')}
        data={options}
        value={search.family === undefined ? null : String(search.family)}
        onChange={(id) => change({ family: id === null ? undefined : Number(id) })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('clear') }}
        flex="1 1 200px"
      />
      <SegmentedControl
        aria-label={t('sort')}
        value={search.sort ?? 'count'}
        onChange={(sort) => change({ sort: sort === 'count' ? undefined : sort })}
        data={sorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
        // Labels wrap on a narrow screen.
        styles={{ control: { flex: '1 1 auto' }, label: { whiteSpace: 'normal' } }}
      />
    </Group>
  );
}
