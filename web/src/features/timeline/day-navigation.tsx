import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { addDays, type Day, dayFromUrl } from '../../lib/days';

interface DayNavigationProps {
  readonly day: Day;
  readonly today: Day;
  readonly onGo: (day: Day) => void;
}

/** From day to day, by the calendar. */
export function DayNavigation({ day, today, onGo }: DayNavigationProps) {
  const { t } = useTranslation('timeline');
  const step = (days: number, name: 'previous_day' | 'next_day', Icon: typeof IconChevronLeft) => (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={t(name)}
      title={t(name)}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/timeline"
          search={(old) => ({ ...old, date: addDays(day, days) })}
          disabled={days > 0 && day >= today}
          data-disabled={(days > 0 && day >= today) || undefined}
        />
      )}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group gap="xs" wrap="nowrap">
      {step(-1, 'previous_day', IconChevronLeft)}
      <TextInput
        type="date"
        miw={0}
        flex="0 1 auto"
        aria-label={t('date')}
        max={today}
        // A new one for each day, so that half a date that is being typed is not taken away.
        key={day}
        defaultValue={day}
        onChange={({ currentTarget: { value } }) => dayFromUrl(value) && onGo(value)}
      />
      {step(1, 'next_day', IconChevronRight)}
      <Button variant="default" px="sm" disabled={day === today} onClick={() => onGo(today)}>
        {t('today')}
      </Button>
    </Group>
  );
}
