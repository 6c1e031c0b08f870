import { Button, Collapse, Group, NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../lib/use-media';
import { useCalendarSearch, useCalendarView, useYears } from './calendar-queries';
import { calendarSorts, calendarViews, sortOf } from './calendar-search';

/** View and filters, kept in the URL; on a phone the filters collapse. */
export function CalendarControls() {
  const { t } = useTranslation('calendar');
  const [, change] = useCalendarSearch();
  const view = useCalendarView();
  const views = calendarViews.map((value) => ({ value, label: t(`view_${value}`) }));
  const show = (chosen: string) =>
    change({ view: calendarViews.find((one) => one === chosen), sort: undefined, until: undefined });
  const isPhone = useIsPhone();
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Group align="end" gap="sm" mb="md">
      {isPhone ? (
        <NativeSelect
          aria-label={t('view')}
          value={view}
          onChange={({ currentTarget }) => show(currentTarget.value)}
          data={views}
        />
      ) : (
        <SegmentedControl aria-label={t('view')} value={view} onChange={show} data={views} />
      )}
      {view === 'year' ? (
        <YearField />
      ) : view === 'days' ? null : isPhone ? (
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
              <CalendarFilters />
            </Group>
          </Collapse>
        </>
      ) : (
        <CalendarFilters />
      )}
    </Group>
  );
}

/** Year of the year view. */
function YearField() {
  const { t } = useTranslation('calendar');
  const [{ year }, change] = useCalendarSearch();
  const known = useYears();
  const [newest = 0] = known;
  const years = [...new Set([...known, year ?? newest])].sort((one, other) => other - one);
  return (
    <NativeSelect
      aria-label={t('year')}
      value={year ?? newest}
      onChange={({ currentTarget: { value } }) =>
        change({ year: Number(value) === newest ? undefined : Number(value) })
      }
      data={years.map(String)}
    />
  );
}

/** Years, order and metric. */
function CalendarFilters() {
  const { t } = useTranslation('calendar');
  const [search, change] = useCalendarSearch();
  return (
    <>
      <YearFields />
      <NativeSelect
        label={t('sort')}
        value={sortOf(search)}
        onChange={({ currentTarget: { value } }) =>
          change({ sort: calendarSorts.find((one) => one === value) })
        }
        data={calendarSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
      />
      <NativeSelect
        label={t('counted')}
        value={search.metric ?? 'visits'}
        onChange={({ currentTarget: { value } }) =>
          change({ metric: value === 'individuals' ? value : undefined })
        }
        data={(['visits', 'individuals'] as const).map((value) => ({ value, label: t(`count_${value}`) }))}
      />
      <Group gap="md" py={6}>
        <Switch
          label={t('only_video')}
          checked={search.evidence === 'video'}
          onChange={({ currentTarget: { checked } }) => change({ evidence: checked ? 'video' : undefined })}
        />
        <Switch
          label={t('full_catalog')}
          checked={search.catalog === 'full'}
          onChange={({ currentTarget: { checked } }) => change({ catalog: checked ? 'full' : undefined })}
        />
      </Group>
    </>
  );
}

/** First and last year; hidden with only one year of data. */
function YearFields() {
  const { t } = useTranslation('calendar');
  const [{ from, to }, change] = useCalendarSearch();
  const known = useYears();
  const chosen = [from, to].filter((year) => year !== undefined);
  const years = [...new Set([...known, ...chosen])].sort((one, other) => other - one);
  if (years.length < 2) return null;
  const yearOf = (text: string) => (text === '' ? undefined : Number(text));
  const optionsOf = (all: string) => [{ value: '', label: all }, ...years.map(String)];
  return (
    <>
      <NativeSelect
        label={t('from_year')}
        value={from ?? ''}
        onChange={({ currentTarget: { value } }) => change({ from: yearOf(value) })}
        data={optionsOf(t('first_year'))}
      />
      <NativeSelect
        label={t('to_year')}
        value={to ?? ''}
        onChange={({ currentTarget: { value } }) => change({ to: yearOf(value) })}
        data={optionsOf(t('this_year'))}
      />
    </>
  );
}
