import { Center, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../../components/shortcuts';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { VisitCard } from '../../components/visits/visit-card';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { DayStrip } from './day-strip';
import classes from './day-visits.module.css';
import { favoritesQuery } from './timeline-queries';
import { useVisitRows } from './use-visit-rows';
import { countHours, type HeadingRow, type Move, moveCard, type Row, rowOfHour } from './visit-rows';

interface DayVisitsProps {
  readonly day: Day;
  readonly items: readonly TimelineItem[];
  /** Whether all visits are loaded. */
  readonly isComplete: boolean;
  /** Scroll position to restore, in px. */
  readonly offset: number;
}

/** Virtualized list of the visits of a day, grouped by hour. */
export function DayVisits({ day, items, isComplete, offset }: DayVisitsProps) {
  const { t } = useTranslation('timeline');
  const { data: favorites } = useQuery(favoritesQuery(day));
  const { list, top, columns, groups, rows, virtualizer, drawn, topRow } = useVisitRows(day, items, offset);
  const [wantedHour, setWantedHour] = useState<number>();
  const counts = useMemo(() => countHours(groups), [groups]);
  useCardKeys(rows, virtualizer, topRow);

  // Scrolls to a wanted hour once it is loaded.
  const wantedRow = wantedHour === undefined ? -1 : rowOfHour(rows, wantedHour);
  useEffect(() => {
    if (wantedHour === undefined || (wantedRow === -1 && !isComplete)) return;
    virtualizer.scrollToIndex(wantedRow === -1 ? rows.length - 1 : wantedRow, { align: 'start' });
    setWantedHour(undefined);
  }, [wantedHour, wantedRow, isComplete, rows.length, virtualizer]);

  return (
    <>
      <DayStrip counts={counts} inView={rows[topRow]} onGo={setWantedHour} />
      <div ref={list} className={classes['list']} style={{ height: virtualizer.getTotalSize() }}>
        {drawn.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes['row']}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <VisitRow row={row} columns={columns} favorites={favorites} />
              </div>
            )
          );
        })}
      </div>
      {!isComplete && (
        <Center h={72}>
          <Loader size="sm" aria-label={t('loading_earlier')} />
        </Center>
      )}
    </>
  );
}

interface VisitRowProps {
  readonly row: Row;
  readonly columns: number;
  readonly favorites: ReadonlySet<number> | undefined;
}

function HourHeading({ row: { from, to, visits } }: { readonly row: HeadingRow }) {
  const { t } = useTranslation('timeline');
  const { hour } = useTimeFormat();
  return (
    <div className={classes['hour']}>
      <Title order={2} size="h5">
        {from === 'before' || to === 'before' ? t('before') : `${hour(from)} – ${hour(to + 1)}`}
      </Title>
      <Text size="sm" c="dimmed">
        {t('visits', { count: visits })}
      </Text>
    </div>
  );
}

/** A row of the list; memoized, as scrolling renders the parent often. */
const VisitRow = memo(function VisitRow({ row, columns, favorites }: VisitRowProps) {
  if (row.kind === 'heading') return <HourHeading row={row} />;
  const style = { '--columns': columns } as CSSProperties;
  return (
    <div className={classes['cards']} style={style}>
      {row.items.map((item) => (
        <VisitCard key={item.id} visit={item} isFavorite={favorites?.has(item.id) ?? false} />
      ))}
    </div>
  );
});

/** Frames to wait for a virtual row to render. */
const maxFrames = 30;

function focusCard(id: number, frames = maxFrames): void {
  const link = document.querySelector<HTMLElement>(`[data-visit="${id}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusCard(id, frames - 1));
}

function focusedCard(): number | undefined {
  const id = document.activeElement?.closest<HTMLElement>('[data-visit]')?.dataset['visit'];
  return id === undefined ? undefined : Number(id);
}

/** `j` and `k` move between cards; arrow keys do once a card has the focus. */
function useCardKeys(rows: readonly Row[], virtualizer: Virtualizer<Window, Element>, topRow: number): void {
  const go = (move: Move) => {
    const place = moveCard(rows, focusedCard(), move, topRow);
    if (place === undefined) return;
    virtualizer.scrollToIndex(place.row, { align: 'auto' });
    focusCard(place.item.id);
  };
  const goFromCard = (move: Move) => (focusedCard() === undefined ? false : go(move));
  useShortcuts({
    j: () => go('next'),
    k: () => go('previous'),
    ArrowRight: () => goFromCard('next'),
    ArrowLeft: () => goFromCard('previous'),
    ArrowDown: () => goFromCard('down'),
    ArrowUp: () => goFromCard('up'),
  });
}
