import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { getRouteApi, useElementScrollRestoration } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { ShortcutHelp, useShortcuts } from '../../components/shortcuts';
import { Failure, Loading } from '../../components/states';
import { useToday } from '../../lib/clock';
import { addDays, type Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { DayNavigation } from './day-navigation';
import { useDay } from './day-query';
import { DayStrip } from './day-strip';
import { DayVisits } from './day-visits';
import { EmptyDay, NothingMatches } from './empty-day';
import { ExportMenu } from './export-menu';
import { FilterPanel } from './filter-panel';
import { filtersOf, type TimelineFilters, timelineSearch } from './timeline-search';

const noVisits = Array.from({ length: 24 }, () => 0);

const route = getRouteApi('/timeline');

/** What of a day is shown: its visits, or why there are none. */
function DayContent(props: {
  readonly day: Day;
  readonly filters: TimelineFilters;
  readonly onClear: () => void;
}) {
  const { day, filters, onClear } = props;
  const entry = useElementScrollRestoration({ getElement: () => window });
  const [offset] = useState(entry?.scrollY ?? 0);
  const { items, isComplete, error, refetch } = useDay(day, filters);
  const { t } = useTranslation('timeline');
  if (items === undefined) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return (
      <>
        <DayStrip counts={noVisits} inView={undefined} onGo={() => undefined} />
        <Loading rows={6} height={97} />
      </>
    );
  }
  if (items.length === 0) {
    return Object.keys(filters).length > 0 ? <NothingMatches onClear={onClear} /> : <EmptyDay day={day} />;
  }
  return (
    <>
      <DayVisits day={day} items={items} isComplete={isComplete} offset={offset} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <Text role="status" size="sm" c="dimmed" ta="center" py="md">
        {isComplete && t('shown', { count: items.filter((item) => item.timeline_kind === 'visit').length })}
      </Text>
    </>
  );
}

/** A day, visit by visit. */
export function Timeline() {
  const { t } = useTranslation('timeline');
  const { dayTitle } = useTimeFormat();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const day = search.date ?? today;
  const filters = filtersOf(search);
  const filterCount = Object.keys(filters).length;
  const [isOpen, { toggle }] = useDisclosure(filterCount > 0);

  const change = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({ search: (old) => timelineSearch({ ...old, ...changes }), replace: true });
  const clear = () => void navigate({ search: (old) => (old.date === undefined ? {} : { date: old.date }) });
  const go = (date: Day) =>
    void navigate({ search: (old) => timelineSearch({ ...old, date: date === today ? undefined : date }) });
  const nextDay = () => day < today && go(addDays(day, 1));
  useShortcuts({ '[': () => go(addDays(day, -1)), ']': nextDay });

  return (
    <Page
      title={dayTitle(day)}
      actions={
        <Group gap="xs">
          <DayNavigation day={day} today={today} onGo={go} />
          <Button
            variant="default"
            aria-expanded={isOpen}
            aria-controls="timeline-filters"
            leftSection={<IconFilter size={18} stroke={1.6} aria-hidden />}
            onClick={toggle}
          >
            {filterCount === 0 ? t('filters') : t('filters_set', { count: filterCount })}
          </Button>
          <ExportMenu day={day} filters={filters} />
          <ShortcutHelp
            shortcuts={[
              { keys: ['j', 'k'], does: t('key_cards') },
              { keys: ['Enter'], does: t('key_open') },
              { keys: ['[', ']'], does: t('key_days') },
            ]}
          />
        </Group>
      }
    >
      <Stack gap="sm">
        <Collapse id="timeline-filters" expanded={isOpen}>
          <FilterPanel filters={filters} onChange={change} onClear={clear} />
        </Collapse>
        <DayContent key={day} day={day} filters={filters} onClear={clear} />
      </Stack>
    </Page>
  );
}
