import { Button, Modal, Stack, Text } from '@mantine/core';
import { IconMoodEmpty, IconPaw } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FindableSpecies, Species } from '../../lib/rank-species';
import { useFindableSpecies } from '../../lib/species-list';
import classes from './review.module.css';

interface NoBirdDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onChoose: (species: Species) => void;
  /** Undefined if the recording must be kept. */
  readonly onEmpty: (() => void) | undefined;
  readonly isDisabled: boolean;
}

/** Asks what was detected instead of a bird: another animal, or nothing. */
export function NoBirdDialog({ isOpen, onClose, onChoose, onEmpty, isDisabled }: NoBirdDialogProps) {
  const { t } = useTranslation('review');
  const all = useFindableSpecies() ?? [];
  const after = (act: () => void) => () => {
    onClose();
    act();
  };
  const any = all.find(({ species }) => species.group === 'other_animal' && species.parent_id === null);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('no_bird')}
      closeButtonProps={{ 'aria-label': t('close') }}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="md">
        <div className={classes['animals']}>
          {listAnimals(all).map(({ species, name }) => (
            <Button
              key={species.id}
              variant="default"
              disabled={isDisabled}
              onClick={after(() => onChoose(species))}
            >
              {name}
            </Button>
          ))}
          {any && (
            <Button
              variant="default"
              leftSection={<IconPaw size={18} aria-hidden />}
              disabled={isDisabled}
              onClick={after(() => onChoose(any.species))}
            >
              {t('other_animal')}
            </Button>
          )}
        </div>
        <Stack gap={4}>
          <Button
            variant="light"
            color="red"
            leftSection={<IconMoodEmpty size={20} aria-hidden />}
            disabled={onEmpty === undefined}
            onClick={after(() => onEmpty?.())}
          >
            {t('empty')}
          </Button>
          <Text size="sm" c="dimmed">
            {t(onEmpty === undefined ? 'empty_not' : 'empty_hint')}
          </Text>
        </Stack>
      </Stack>
    </Modal>
  );
}

/** Common animals at feeders, offered while this hub has seen few. */
const common = ['Squirrel', 'Cat', 'Mouse', 'Rat', 'Dog', 'Marten', 'Raccoon', 'Hedgehog', 'Human'];
const maxAnimals = 9;

/** Returns the animals of this hub, most frequent first, then common ones. */
function listAnimals(all: readonly FindableSpecies[]): FindableSpecies[] {
  const animals = all.filter(({ species }) => species.group === 'other_animal' && species.parent_id !== null);
  const rank = ({ species }: FindableSpecies) => {
    const at = common.indexOf(species.name);
    return at === -1 ? common.length : at;
  };
  return animals
    .filter((one) => one.species.count > 0 || rank(one) < common.length)
    .sort((one, other) => other.species.count - one.species.count || rank(one) - rank(other))
    .slice(0, maxAnimals);
}
