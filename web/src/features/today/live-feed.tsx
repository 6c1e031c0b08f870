import { Anchor, Badge, Button, Text, VisuallyHidden } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveEvents } from '../../api/live/live-events';
import { ShareButton } from '../../components/share/share-button';
import { describeVisit, linkToMoment, shareOfVisit } from '../../components/visits/describe-visit';
import type { Visit } from '../../components/visits/summarize-day';
import { VisitPicture } from '../../components/visits/visit-picture';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { Card } from './card';
import { arrivalsSince, useHeldVisits } from './held-visits';
import classes from './live-feed.module.css';

interface LiveFeedProps {
  readonly day: string;
  /** Newest first. */
  readonly visits: readonly Visit[];
}

const maxRows = 8;

/** The newest visits; new ones wait above the list while it is being read. */
export function LiveFeed({ day, visits }: LiveFeedProps) {
  const { t } = useTranslation('today');
  const { shown, waiting, release, topRef, holding } = useHeldVisits(visits);
  const top = useRef<HTMLDivElement>(null);
  const mergedTopRef = useMergedRef(topRef, top);
  const announcement = useAnnouncement(visits);
  const hasMotion = useMotion();
  return (
    <Card title={t('newest')} aside={hasMotion && <Badge variant="light">{t('movement')}</Badge>}>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <div ref={mergedTopRef} tabIndex={-1} />
      {/* Not in the list: it goes without a blur event. */}
      {waiting > 0 && (
        <Button
          variant="light"
          size="xs"
          fullWidth
          className={classes['waiting']}
          onClick={() => {
            top.current?.focus();
            release();
          }}
        >
          {t('show_new', { count: waiting })}
        </Button>
      )}
      <div {...holding}>
        {shown.length === 0 && <Text c="dimmed">{t('newest_none')}</Text>}
        <ol className={classes['rows']}>
          {shown.slice(0, maxRows).map((visit) => (
            <FeedRow key={visit.id} visit={visit} />
          ))}
        </ol>
      </div>
      {shown.length > maxRows && (
        <Anchor mt="sm" renderRoot={(props) => <Link to="/timeline" search={{ date: day }} {...props} />}>
          {t('all_visits', { count: visits.length })}
        </Anchor>
      )}
    </Card>
  );
}

/** A visit in the feed; links to its best moment. */
function FeedRow({ visit }: { readonly visit: Visit }) {
  const { t } = useTranslation('today');
  const { t: shared } = useTranslation('components');
  const { clock, duration, moment: momentText } = useTimeFormat();
  const nameOf = useSpeciesName();
  const facts = describeVisit(visit);
  const { isHeardOnly, hasNoMedia, moment } = facts;
  const seconds = (Date.parse(visit.end_time) - Date.parse(visit.start_time)) / 1000;
  const details = [
    hasNoMedia ? undefined : duration(Math.max(1, seconds)),
    hasNoMedia && !isHeardOnly ? t('seen_by_person') : undefined,
    isHeardOnly ? t('heard') : undefined,
    visit.max_simultaneous > 1 ? t('at_once', { count: visit.max_simultaneous }) : undefined,
  ].filter((one) => one !== undefined);
  const row = (
    <>
      <div className={classes['picture']}>
        <VisitPicture
          facts={facts}
          speciesUrl={visit.species.image_url}
          heardLabel={t('heard')}
          sightingLabel={shared('visit.seen_by_person')}
          ratio={1}
          sizes="56px"
        />
      </div>
      <div className={classes['words']}>
        <Text fw={600} lineClamp={2} lh={1.3}>
          {nameOf(visit.species.name)}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {details.join(' · ')}
        </Text>
      </div>
      <Text component="time" dateTime={visit.start_time} className={classes['time']}>
        {clock(visit.start_time)}
      </Text>
    </>
  );
  return (
    <li className={classes['item']}>
      <Link {...linkToMoment(moment)} className={classes['row']}>
        {row}
      </Link>
      <ShareButton
        what={shareOfVisit(visit)}
        title={`${nameOf(visit.species.name)}, ${momentText(visit.start_time)}`}
        size={32}
        isQuiet
      />
    </li>
  );
}

/** Announcement of new visits for screen readers. */
function useAnnouncement(visits: readonly Visit[]): string {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const nameOf = useSpeciesName();
  const known = useRef(visits);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const arrivals = arrivalsSince(known.current, visits);
    known.current = visits;
    if (arrivals.length === 0) return;
    const words = arrivals.map(({ species, start_time }) => `${nameOf(species.name)}, ${clock(start_time)}`);
    setAnnouncement(t('arrived', { visits: words.join('; ') }));
  }, [visits, t, clock, nameOf]);
  return announcement;
}

const shownMs = 10_000;

/** Whether the detector reported motion in the last seconds. */
function useMotion(): boolean {
  const [movedAt, setMovedAt] = useState<number>();
  useLiveEvents(['motion'], () => setMovedAt(Date.now()));
  useEffect(() => {
    if (movedAt === undefined) return;
    const timer = setTimeout(() => setMovedAt(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [movedAt]);
  return movedAt !== undefined;
}
