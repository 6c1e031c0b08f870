import { ActionIcon, Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconPencil, IconPlayerSkipForward } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './review.module.css';

interface AnswerBarProps {
  readonly acceptLabel: string;
  /** Answers that name another species. */
  readonly likely: ReactNode;
  readonly isDisabled: boolean;
  readonly canUndo: boolean;
  readonly onAccept: () => void;
  readonly onChange: () => void;
  readonly onSkip: () => void;
  readonly onUndo: () => void;
}

/** All that can be said of a detection. It stays in sight, so it hides no answer: all of them stand in it. */
export function AnswerBar(props: AnswerBarProps) {
  const { acceptLabel, likely, isDisabled, canUndo, onAccept, onChange, onSkip, onUndo } = props;
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
      </div>
    </div>
  );
}
