import {
  Alert,
  Anchor,
  Badge,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconBinoculars, IconClockExclamation, IconSearch } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { Page } from '../../components/page';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { speciesListQuery } from '../../lib/species-list';
import { findNames, type RegionSpecies, toLists } from './compare-names';
import classes from './region-page.module.css';

const regionQuery = queryOptions({
  queryKey: ['region'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/region-comparison', { signal })),
});

/** Compares the species of the hub with those of its region. */
export function RegionPage() {
  const { t } = useTranslation('region');
  const { data, error, refetch } = useQuery(regionQuery);
  const hasNoData = data?.stale && data.regionTopCount === 0;
  return (
    <Page title={t('title')}>
      {data?.configured ? (
        <>
          {data.stale && (
            <Alert color="yellow" mb="md" icon={<IconClockExclamation aria-hidden />}>
              {t(hasNoData ? 'no_answer' : 'stale')}
            </Alert>
          )}
          {!hasNoData && <Comparison comparison={data} />}
        </>
      ) : data ? (
        <NotConfigured />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={8} />
      )}
    </Page>
  );
}

function NotConfigured() {
  const { t } = useTranslation('region');
  return (
    <Empty
      icon={IconBinoculars}
      title={t('not_configured')}
      action={
        <Button
          renderRoot={(props) => <Link to="/settings" hash="ebird" hashScrollIntoView={false} {...props} />}
        >
          {t('to_settings')}
        </Button>
      }
    >
      {t('not_configured_hint')}{' '}
      <Anchor href="https://ebird.org/api/keygen" target="_blank" rel="noreferrer" underline="always">
        {t('get_key')}
      </Anchor>
    </Empty>
  );
}

const kinds = ['both', 'onlyThere', 'onlyHere'] as const;

interface ComparisonProps {
  readonly comparison: components['schemas']['RegionComparison'];
}

/** The three lists with a common search field. */
function Comparison({ comparison }: ComparisonProps) {
  const { t } = useTranslation('region');
  const { number } = useTimeFormat();
  const nameOf = useSpeciesName();
  const { data: species = [] } = useQuery(speciesListQuery);
  const [typed, setTyped] = useState('');
  const lists = useMemo(() => toLists(comparison, species), [comparison, species]);
  const { regionCode, regionTopCount, userCount, matchCount } = comparison;
  const counts = { there: number(regionTopCount), here: number(userCount), both: number(matchCount) };
  return (
    <Stack>
      <Text maw="44rem">{t('summary', { region: regionCode, ...counts })}</Text>
      <TextInput
        type="search"
        label={t('search')}
        maw={360}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        {kinds.map((kind) => (
          <RegionList
            key={kind}
            title={t(kind)}
            about={t(`${kind}_about`)}
            count={lists[kind].length}
            species={findNames(lists[kind], typed, nameOf)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface RegionListProps {
  readonly title: string;
  readonly about: string;
  /** Number of species regardless of the search. */
  readonly count: number;
  readonly species: readonly RegionSpecies[];
}

/** A list of species, with picture and link for those of the hub. */
function RegionList({ title, about, count, species }: RegionListProps) {
  const { t } = useTranslation('region');
  return (
    <Paper component="section" bg="var(--card-background)" p="md" radius="lg">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Badge variant="light" size="lg">
          {count}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {about}
      </Text>
      {species.length === 0 ? (
        <Text size="sm">{t(count === 0 ? 'none' : 'none_found')}</Text>
      ) : (
        <ul className={classes['list']}>
          {species.map((one) => (
            <RegionBird key={one.name} species={one} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function RegionBird({ species: { name, known } }: { readonly species: RegionSpecies }) {
  const nameOf = useSpeciesName();
  return (
    <li className={classes['bird']}>
      <SpeciesPicture url={known?.image_url} alt="" ratio={1} sizes="44px" />
      {known ? (
        <Link to="/species/$id" params={{ id: String(known.id) }} className={classes['name']} preload={false}>
          {nameOf(name)}
        </Link>
      ) : (
        nameOf(name)
      )}
    </li>
  );
}
