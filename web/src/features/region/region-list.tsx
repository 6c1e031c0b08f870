import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { useSpeciesName } from '../../i18n/species-names';
import type { RegionSpecies } from './compare-names';
import classes from './region-list.module.css';

interface RegionListProps {
  readonly title: string;
  readonly about: string;
  /** How many there are, also those that the search leaves out. */
  readonly count: number;
  readonly species: readonly RegionSpecies[];
}

/** Species with a picture and a link where the hub knows them. */
export function RegionList({ title, about, count, species }: RegionListProps) {
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
      <SpeciesPicture url={known?.image_url} alt="" ratio={1} />
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
