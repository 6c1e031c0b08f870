import { ActionIcon, Button, Collapse, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconDownload, IconFilter } from '@tabler/icons-react';
import { getRouteApi, Link, useElementScrollRestoration } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { Page } from '../../components/page';
import { ShortcutHelp, useShortcuts } from '../../components/shortcuts';
import { Failure, Loading, PageLoading } from '../../components/states';
import { useToday } from '../../lib/clock';
import { addDays, type Day, dayFromUrl } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useHiddenAnimals } from '../../lib/other-animals';
import { AddSighting } from '../sightings/add-sighting';
import { DayStrip } from './day-strip';
import { DayVisits } from './day-visits';
import { EmptyDay, NothingMatches } from './empty-day';
import { FilterPanel } from './filter-panel';
import { useDay } from './timeline-queries';
import {
  exportPath,
  filtersOf,
  type TimelineFilters,
  timelineSearch,
  withHiddenAnimals,
} from './timeline-search';

const ReviewPage = lazy(() => import('../review/review-page').then((file) => ({ default: file.ReviewPage })));

const route = getRouteApi('/timeline');

/** The timeline, or the review with `?review=1`. */
export function TimelinePage() {
  const { review } = route.useSearch();
  if (review === undefined) return <Timeline />;
  return (
    <Suspense fallback={<PageLoading />}>
      <ReviewPage />
    </Suspense>
  );
}

const noVisits = Array.from({ length: 24 }, () => 0);

/** The visits of a day, or why there are none. */
function DayContent(props: {
  readonly day: Day;
  readonly filters: TimelineFilters;
  readonly onClear: () => void;
}) {
  const { day, filters, onClear } = props;
  const entry = useElementScrollRestoration({ getElement: () => window });
  const [offset] = useState(entry?.scrollY ?? 0);
  const [areAnimalsHidden] = useHiddenAnimals();
  const { items, isComplete, error, refetch } = useDay(day, withHiddenAnimals(filters, areAnimalsHidden));
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

/** The visits of a day. */
function Timeline() {
  const { t } = useTranslation('timeline');
  const { dayTitle } = useTimeFormat();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const day = search.date ?? today;
  const filters = filtersOf(search);
  const [areAnimalsHidden] = useHiddenAnimals();
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
          <ExportMenu day={day} filters={withHiddenAnimals(filters, areAnimalsHidden)} />
          <AddSighting day={day === today ? undefined : day} />
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

interface DayNavigationProps {
  readonly day: Day;
  readonly today: Day;
  readonly onGo: (day: Day) => void;
}

/** Previous and next day, date field, today. */
function DayNavigation({ day, today, onGo }: DayNavigationProps) {
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
        // Uncontrolled and keyed by day, so that a half-typed date is kept.
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

interface ExportMenuProps {
  readonly day: Day;
  readonly filters: TimelineFilters;
}

const formats = ['csv', 'json', 'ebird'] as const;

/** Downloads the visits of the day that match the filters. */
function ExportMenu({ day, filters }: ExportMenuProps) {
  const { t } = useTranslation('timeline');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={18} stroke={1.6} aria-hidden />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('export_hint')}</Menu.Label>
        {formats.map((format) => (
          <Menu.Item key={format} component="a" download href={hubUrl(exportPath(day, filters, format))}>
            {t(`export_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
