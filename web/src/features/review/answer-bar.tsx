import { ActionIcon, Button, Kbd } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconFeatherOff,
  IconPencil,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import type { FindableSpecies, Species } from '../../lib/rank-species';
import classes from './review.module.css';

interface AnswerBarProps {
  readonly acceptLabel: string;
  /** Buttons for other species. */
  readonly likely: ReactNode;
  readonly isDisabled: boolean;
  readonly canUndo: boolean;
  readonly onAccept: () => void;
  readonly onChange: () => void;
  readonly onNoBird: () => void;
  readonly onSkip: () => void;
  readonly onUndo: () => void;
}

/** All answers to a detection, in one bar, which is sticky. */
export function AnswerBar(props: AnswerBarProps) {
  const { acceptLabel, likely, isDisabled, canUndo, onAccept, onChange, onNoBird, onSkip, onUndo } = props;
  const { t } = useTranslation('review');
  const named = { root: classes['species'] ?? '', label: classes['name'] ?? '' };
  return (
    <div className={classes['bar']}>
      <div className={classes['verdicts']}>
        <Button
          classNames={named}
          px="xs"
          leftSection={<IconCheck size={20} aria-hidden />}
          disabled={isDisabled}
          onClick={onAccept}
        >
          {acceptLabel}
        </Button>
        <Button
          className={classes['species'] ?? ''}
          px="xs"
          variant="default"
          leftSection={<IconPlayerSkipForward size={20} aria-hidden />}
          disabled={isDisabled}
          onClick={onSkip}
        >
          {t('skip')}
        </Button>
        <ActionIcon
          size={42}
          variant="default"
          disabled={!canUndo}
          aria-label={t('undo')}
          title={t('undo')}
          onClick={onUndo}
        >
          <IconArrowBackUp size={20} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes['others']}>
        {likely}
        <Button
          classNames={named}
          px="xs"
          justify="flex-start"
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          disabled={isDisabled}
          onClick={onChange}
        >
          {t('change')}
        </Button>
        <Button
          classNames={{ root: `${classes['species']} ${classes['noBird']}`, label: classes['name'] ?? '' }}
          px="xs"
          justify="flex-start"
          variant="default"
          leftSection={<IconFeatherOff size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={onNoBird}
        >
          {t('no_bird_choice')}
        </Button>
      </div>
    </div>
  );
}

interface LikelyButtonsProps {
  readonly likely: readonly FindableSpecies[];
  readonly onChoose: (species: Species) => void;
  readonly isDisabled: boolean;
}

/** Likely species, with number keys. */
export function LikelyButtons({ likely, onChoose, isDisabled }: LikelyButtonsProps) {
  const { t } = useTranslation('review');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame, and this groups no form fields.
    <div className={classes['likely']} role="group" aria-label={t('likely')}>
      {likely.map(({ species, name }, index) => (
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
            <>
              <Kbd size="xs" visibleFrom="sm" mr={8} aria-hidden>
                {index + 1}
              </Kbd>
              <span className={classes['face']}>
                <SpeciesPicture url={species.image_url} alt="" ratio={1} sizes="38px" />
              </span>
            </>
          }
          onClick={() => onChoose(species)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
