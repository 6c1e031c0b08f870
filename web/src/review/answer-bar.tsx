import { ActionIcon, Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconPencil, IconPlayerSkipForward } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './review.module.css';

interface AnswerBarProps {
  readonly acceptLabel: string;
  readonly isDisabled: boolean;
  readonly canUndo: boolean;
  readonly onAccept: () => void;
  readonly onChange: () => void;
  readonly onSkip: () => void;
  readonly onUndo: () => void;
}

/** What can be done with every detection. */
export function AnswerBar(props: AnswerBarProps) {
  const { acceptLabel, isDisabled, canUndo, onAccept, onChange, onSkip, onUndo } = props;
  const { t } = useTranslation('review');
  return (
    <div className={classes['bar']}>
      <Button
        size="md"
        px="xs"
        leftSection={<IconCheck size={20} aria-hidden />}
        disabled={isDisabled}
        onClick={onAccept}
      >
        {acceptLabel}
      </Button>
      <Button
        size="md"
        px="xs"
        variant="default"
        leftSection={<IconPencil size={20} aria-hidden />}
        disabled={isDisabled}
        onClick={onChange}
      >
        {t('change')}
      </Button>
      <Button
        size="md"
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
  );
}
