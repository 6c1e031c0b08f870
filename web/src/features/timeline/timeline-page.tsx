import { ActionIcon, Collapse, Group, Menu, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsDiff, IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react';
import { getRouteApi, Link, useElementScrollRestoration } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { lazyComponent } from '../../components/lazy-part';
import { Page } from '../../components/page';
import { ShortcutHelp, useShortcuts } from '../../components/shortcuts';
import { Failure, Loading, PageLoading } from '../../components/states';
import { useToday } from '../../lib/clock';
import { addDays, type Day, daysBetween, startOfDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useHiddenAnimals } from '../../lib/other-animals';
import { AddSighting } from '../sightings/add-sighting';
import { EmptyRange, NothingMatches } from './empty-range';
import { FilterChips } from './filter-chips';
import { FilterPanel } from './filter-panel';
import { RangeChips } from './range-chips';
import { type MovingRange, onlyDay, rangeOf, type TimeRange } from './time-range';
import { TimelineList } from './timeline-list';
import { useDayCounts } from './timeline-queries';
import {
  exportPath,
  filtersOf,
  type TimelineFilters,
  timelineSearch,
  withHiddenAnimals,
} from './timeline-search';

const ReviewPage = lazyComponent(() => import('../review/review-page').then((file) => file.ReviewPage));

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

interface RangeContentProps {
  readonly range: TimeRange;
  readonly filters: TimelineFilters;
  readonly onClear: () => void;
}

/** The visits of a range, or an empty state. */
function RangeContent({ range, filters, onClear }: RangeContentProps) {
  const entry = useElementScrollRestoration({ getElement: () => window });
  const [offset] = useState(entry?.scrollY ?? 0);
  const [areAnimalsHidden] = useHiddenAnimals();
  const effectiveFilters = withHiddenAnimals(filters, areAnimalsHidden);
  const { counts, error, refetch } = useDayCounts(range, effectiveFilters);
  if (counts === undefined) {
    if (error) return <Failure error={error} onRetry={refetch} />;
    return <Loading rows={6} height={97} />;
  }
  const oldest = counts.at(-1)?.day;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <TimelineList
      counts={counts}
      range={{ from: range.from ?? oldest ?? range.to, to: range.to }}
      day={onlyDay(range)}
      filters={effectiveFilters}
      offset={offset}
      empty={isFiltered ? <NothingMatches onClear={onClear} /> : <EmptyRange range={range} />}
    />
  );
}

/** Returns the heading of a range. */
function useRangeTitle(): (range: TimeRange) => string {
  const { t } = useTranslation('timeline');
  const { dayTitle, dayRange } = useTimeFormat();
  return (range) => {
    const day = onlyDay(range);
    if (day !== undefined) return dayTitle(day);
    if (range.kind === 'all') return t('title');
    if (range.kind === 'week' || range.kind === 'month') return t(`title_${range.kind}`);
    const { from, to } = range;
    return from === undefined ? t('title_until', { day: dayRange(to, to) }) : dayRange(from, to);
  };
}

/** The visits of a range. */
function Timeline() {
  const { t } = useTranslation('timeline');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const range = rangeOf(search, today);
  const titleOf = useRangeTitle();
  const filters = filtersOf(search);
  const [areAnimalsHidden] = useHiddenAnimals();
  const [isOpen, { toggle }] = useDisclosure(false);
  const day = onlyDay(range);

  const change = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({ search: (old) => timelineSearch({ ...old, ...changes }), replace: true });
  const go = (days: { date?: Day; from?: Day; to?: Day; range?: MovingRange }) =>
    void navigate({ search: (old) => timelineSearch({ ...filtersOf(old), ...days }) });
  const clear = () =>
    void navigate({
      search: ({ date, from, to, range: moving }) => timelineSearch({ date, from, to, range: moving }),
    });
  const chooseDays = (from: Day, to: Day) => go(from === to ? { date: from } : { from, to });
  const goBy = (days: number) => {
    const next = addDays(day ?? today, days);
    if (next <= today) go({ date: next });
  };
  useShortcuts({ '[': () => goBy(-1), ']': () => goBy(1) });

  return (
    <Page
      isWide
      title={titleOf(range)}
      actions={
        <Group gap="xs">
          {day !== undefined && <DayNavigation day={day} today={today} />}
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('compare')}
            title={t('compare')}
            renderRoot={(props) => <Link {...props} to="/compare" />}
          >
            <IconArrowsDiff size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
          <ExportMenu range={range} filters={withHiddenAnimals(filters, areAnimalsHidden)} />
          <ShortcutHelp
            shortcuts={[
              { keys: ['j', 'k'], action: t('key_cards') },
              { keys: ['Enter'], action: t('key_open') },
              { keys: ['[', ']'], action: t('key_days') },
            ]}
          />
          <AddSighting day={day === undefined || day === today ? undefined : day} />
        </Group>
      }
    >
      <Stack gap={4}>
        <RangeChips
          range={range}
          today={today}
          onMoving={(moving) => go(moving === undefined ? {} : { range: moving })}
          onDays={chooseDays}
        />
        <FilterChips filters={filters} onChange={change} isPanelOpen={isOpen} onPanel={toggle} />
        <Collapse id="timeline-filters" expanded={isOpen}>
          <FilterPanel filters={filters} onChange={change} onClear={clear} />
        </Collapse>
        <RangeContent
          // Not by the end of the range: a list up to today stays when the day changes.
          key={JSON.stringify([day, search])}
          range={range}
          filters={filters}
          onClear={clear}
        />
      </Stack>
    </Page>
  );
}

/** Previous and next day. */
function DayNavigation({ day, today }: { readonly day: Day; readonly today: Day }) {
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
          search={(old) => ({ ...filtersOf(timelineSearch(old)), date: addDays(day, days) })}
          disabled={days > 0 && day >= today}
          data-disabled={(days > 0 && day >= today) || undefined}
        />
      )}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group gap={4} wrap="nowrap">
      {step(-1, 'previous_day', IconChevronLeft)}
      {step(1, 'next_day', IconChevronRight)}
    </Group>
  );
}

interface ExportMenuProps {
  readonly range: TimeRange;
  readonly filters: TimelineFilters;
}

const formats = ['csv', 'json', 'ebird'] as const;
/** Longest range that one export may cover. */
const maxExportDays = 366;

/** Downloads the matching visits of the range; of a longer range, only the last year. */
function ExportMenu({ range, filters }: ExportMenuProps) {
  const { t } = useTranslation('timeline');
  const { zone } = useTimeFormat();
  const earliest = addDays(range.to, 1 - maxExportDays);
  const isCut = range.from === undefined || daysBetween(range.from, range.to) >= maxExportDays;
  const days = { from: isCut ? earliest : range.from, to: range.to };
  const startOf = (day: Day) => startOfDay(day, zone);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('export')} title={t('export')}>
          <IconDownload size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(isCut ? 'export_year' : 'export_hint')}</Menu.Label>
        {formats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            download
            href={hubUrl(exportPath(days, filters, format, startOf))}
          >
            {t(`export_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
