import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { speciesListQuery } from '../../lib/species-list';
import { findNames, toLists } from './compare-names';
import { RegionList } from './region-list';

const kinds = ['both', 'onlyThere', 'onlyHere'] as const;

interface ComparisonProps {
  readonly comparison: components['schemas']['RegionComparison'];
}

/** The three lists, all searched by one field. */
export function Comparison({ comparison }: ComparisonProps) {
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
