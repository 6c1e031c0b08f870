import { Button, Kbd } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FindableSpecies, Species } from '../../lib/rank-species';
import classes from './review.module.css';

interface LikelyButtonsProps {
  readonly likely: readonly FindableSpecies[];
  readonly onChoose: (species: Species) => void;
  readonly isDisabled: boolean;
}

/** What it may be, by number. */
export function LikelyButtons({ likely, onChoose, isDisabled }: LikelyButtonsProps) {
  const { t } = useTranslation('review');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame, and these are no fields.
    <div className={classes['likely']} role="group" aria-label={t('likely')}>
      {likely.map(({ species, name }, place) => (
        <Button
          key={species.id}
          variant="default"
          size="sm"
          classNames={{ root: classes['species'] ?? '', label: classes['name'] ?? '' }}
          px="xs"
          justify="flex-start"
          fw={500}
          disabled={isDisabled}
          leftSection={
            <Kbd size="xs" visibleFrom="sm" aria-hidden>
              {place + 1}
            </Kbd>
          }
          onClick={() => onChoose(species)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
