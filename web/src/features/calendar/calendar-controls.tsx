import { Button, Collapse, Group, SegmentedControl } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CalendarChoices } from './calendar-choices';
import { useCalendarSearch } from './use-calendar-search';

/** What is shown of the calendar, kept in the address; on a phone all but the first behind a button. */
export function CalendarControls() {
  const { t } = useTranslation('calendar');
  const [{ view }, change] = useCalendarSearch();
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Group align="end" gap="sm" mb="md">
      <SegmentedControl
        aria-label={t('view')}
        value={view ?? 'months'}
        onChange={(next) => change({ view: next === 'seasons' ? next : undefined, sort: undefined })}
        data={[
          { value: 'months', label: t('view_months') },
          { value: 'seasons', label: t('view_seasons') },
        ]}
      />
      {isWide ? (
        <CalendarChoices />
      ) : (
        <>
          <Button
            variant="default"
            px="xs"
            leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {t('choose')}
          </Button>
          <Collapse expanded={isOpen} w="100%">
            <Group align="end" gap="sm">
              <CalendarChoices />
            </Group>
          </Collapse>
        </>
      )}
    </Group>
  );
}
