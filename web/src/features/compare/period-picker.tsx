import { Button, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import { RangePicker } from '../timeline/range-picker';
import { isPeriod, type Period, type PeriodPair } from './periods';

interface PeriodPickerProps {
  readonly isOpen: boolean;
  /** The periods that are compared now. */
  readonly pair: PeriodPair;
  readonly onChoose: (pair: PeriodPair) => void;
  readonly onClose: () => void;
}

/** Dialog to choose two periods in calendars. */
export function PeriodPicker({ isOpen, pair, onChoose, onClose }: PeriodPickerProps) {
  const { t } = useTranslation('compare');
  useOpenerFocus(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('choose_dates')}
      closeButtonProps={{ 'aria-label': t('close') }}
      size="auto"
    >
      {isOpen && <PeriodForm pair={pair} onChoose={onChoose} />}
    </Modal>
  );
}

function PeriodForm({ pair, onChoose }: Pick<PeriodPickerProps, 'pair' | 'onChoose'>) {
  const { t } = useTranslation('compare');
  const [chosen, setChosen] = useState(pair);
  const isValid = isPeriod(chosen.period) && isPeriod(chosen.other);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <PeriodField
          label={t('this_period')}
          period={chosen.period}
          onChange={(period) => setChosen((before) => ({ ...before, period }))}
        />
        <PeriodField
          label={t('other_period')}
          period={chosen.other}
          onChange={(other) => setChosen((before) => ({ ...before, other }))}
        />
      </SimpleGrid>
      {!isValid && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('period_too_long')}
        </Text>
      )}
      <Button disabled={!isValid} onClick={() => onChoose(chosen)}>
        {t('show')}
      </Button>
    </Stack>
  );
}

interface PeriodFieldProps {
  readonly label: string;
  readonly period: Period;
  readonly onChange: (period: Period) => void;
}

function PeriodField({ label, period, onChange }: PeriodFieldProps) {
  const { dayRange } = useTimeFormat();
  const today = useToday();
  return (
    <fieldset style={{ margin: 0, padding: 0, border: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" role="status" mb="xs">
        {dayRange(period.from, period.to)}
      </Text>
      <RangePicker {...period} today={today} onChoose={(from, to) => onChange({ from, to })} />
    </fieldset>
  );
}
