import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineItem } from '../../components/visits/describe-visit';
import type { Day } from '../../lib/days';
import { favoritesQuery } from './day-query';
import { DayStrip } from './day-strip';
import { countHours, rowOfHour } from './lay-out-rows';
import { useCardKeys } from './use-card-keys';
import { useVisitRows } from './use-visit-rows';
import { VisitRow } from './visit-row';
import classes from './visit-rows.module.css';

interface DayVisitsProps {
  readonly day: Day;
  readonly items: readonly TimelineItem[];
  /** Whether these are all of the day. */
  readonly isComplete: boolean;
  /** Where the page was scrolled to when it was left. */
  readonly offset: number;
}

/** The visits of a day, by hours. */
export function DayVisits({ day, items, isComplete, offset }: DayVisitsProps) {
  const { t } = useTranslation('timeline');
  const { data: favorites } = useQuery(favoritesQuery(day));
  const { list, top, columns, groups, rows, virtualizer, drawn, topRow } = useVisitRows(day, items, offset);
  const [wantedHour, setWantedHour] = useState<number>();
  const counts = useMemo(() => countHours(groups), [groups]);
  useCardKeys(rows, virtualizer, topRow);

  // An hour that has not come yet is gone to when it is there.
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
