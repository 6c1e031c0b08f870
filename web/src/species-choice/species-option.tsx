import { Box, Combobox, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { SpeciesPicture } from '../pictures/species-picture';
import type { FindableSpecies } from './rank-species';

interface SpeciesOptionProps {
  readonly id: string;
  readonly found: FindableSpecies;
  /** Whether Enter would choose it. */
  readonly isActive: boolean;
}

/** A species as one of those to choose from. */
export function SpeciesOption({ id, found, isActive }: SpeciesOptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <Combobox.Option
      ref={option}
      id={id}
      value={String(found.species.id)}
      selected={isActive}
      aria-selected={isActive}
    >
      <Group gap="sm" wrap="nowrap">
        <Box w={40} flex="none">
          <SpeciesPicture url={found.species.image_url} alt="" ratio={1} />
        </Box>
        <Box miw={0}>
          <Text size="sm" truncate>
            {found.name}
          </Text>
          <Text size="xs" fs="italic" truncate>
            {found.species.scientific_name}
          </Text>
        </Box>
      </Group>
    </Combobox.Option>
  );
}
