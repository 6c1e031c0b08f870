import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type CSSProperties, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveUpdates } from '../../api/live/use-live-updates';
import { HeardPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { bestDetection, momentOf } from '../../components/visits/describe-visit';
import { type DaySummary, isNamed, summarizeDay, type Visit } from '../../components/visits/summarize-day';
import { useSpeciesName } from '../../i18n/species-names';
import { useCameraName } from '../../lib/cameras';
import { useNow, useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { statusQuery, useHubFacts } from '../../lib/hub-facts';
import { useMedia } from '../../lib/use-media';
import classes from './wall.module.css';
import { earlierVisitsQuery, wallVisitsQuery } from './wall-queries';
import { isDimmedAt, type WallSearch } from './wall-search';
import { useReloadAfterUpdate, useWakeLock } from './wall-upkeep';

const route = getRouteApi('/wall');
const intervalMs = 60_000;
/** E-paper flashes and wears out with every redraw. */
const stillIntervalMs = 300_000;

/** A page for a wall display: last visit, species of the day and time, without navigation. */
export function WallPage() {
  const { i18n } = useTranslation();
  const { lang } = route.useSearch();
  useReloadAfterUpdate();
  useWakeLock();
  useEffect(() => {
    if (lang !== undefined) void i18n.changeLanguage(lang);
  }, [lang, i18n]);
  useEffect(() => {
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    return () => {
      document.body.style.overflow = overflow;
    };
  }, []);
  return (
    <Suspense fallback={<div className={classes['wall']} />}>
      <Wall />
    </Suspense>
  );
}

function Wall() {
  const search = route.useSearch();
  const { t } = useTranslation('wall');
  const isSlow = useMedia('(update: slow)');
  const isDarkWanted = useMedia('(prefers-color-scheme: dark)');
  const isPaper = search.eink === 1 || isSlow;
  const wall = useWallData(search, isPaper);
  const isDimmed = useDimming(search.dim, wall.latest);
  const theme = search.theme ?? (isDarkWanted && !isPaper ? 'dark' : 'light');
  const { name } = useHubFacts();
  useEffect(() => {
    document.title = name;
  }, [name]);
  return (
    <main
      className={classes['wall']}
      data-theme={theme}
      data-paper={isPaper || undefined}
      data-dimmed={isDimmed || undefined}
    >
      {!isPaper && <LiveUpdates />}
      <h1 className={classes['unseen']}>{t('title', { name })}</h1>
      <LastVisit visit={wall.latest} isReady={wall.isReady} isPaper={isPaper} />
      <div className={classes['side']}>
        <Time isPaper={isPaper} updatedAt={wall.updatedAt} />
        <Figures summary={wall.summary} />
        <SpeciesList summary={wall.summary} isReady={wall.isReady} isPaper={isPaper} />
      </div>
      <Troubles updatedAt={wall.updatedAt} isUnreachable={wall.isUnreachable} />
    </main>
  );
}

/** Refetches immediately on live events. */
function LiveUpdates() {
  useLiveUpdates();
  return null;
}

interface WallData {
  readonly latest: Visit | undefined;
  readonly summary: DaySummary | undefined;
  /** Whether the visits are loaded. */
  readonly isReady: boolean;
  /** Time of the last successful response. */
  readonly updatedAt: Date | undefined;
  readonly isUnreachable: boolean;
}

/** Number of missed intervals after which the hub counts as unreachable. */
const missedIntervals = 4;

const retries = { retry: 1, staleTime: 5_000 } as const;

function useWallData({ camera, interval }: WallSearch, isPaper: boolean): WallData {
  const day = useToday();
  const { zone, dayOf, hourOf } = useTimeFormat();
  const refetchInterval =
    interval === undefined ? (isPaper ? stillIntervalMs : intervalMs) : interval * 1_000;
  const options = { ...retries, refetchInterval, refetchIntervalInBackground: true } as const;
  const today = useQuery({ ...wallVisitsQuery(day, camera), ...options, placeholderData: keepPreviousData });
  const visits = useMemo(
    () => today.data?.filter((visit) => isNamed(visit) && dayOf(visit.start_time) === day),
    [today.data, day, dayOf],
  );
  const isQuiet = visits?.length === 0;
  const before = useQuery({ ...earlierVisitsQuery(day, zone, camera), ...options, enabled: isQuiet });
  const summary = useMemo(() => visits && summarizeDay(visits, hourOf), [visits, hourOf]);
  const now = useNow();
  const { dataUpdatedAt, isError, failureCount, errorUpdateCount } = today;
  // Requests to a hub without power hang for minutes.
  const isOverdue = dataUpdatedAt !== 0 && now.getTime() - dataUpdatedAt > missedIntervals * refetchInterval;
  return {
    latest: visits?.[0] ?? (isQuiet ? before.data?.find(isNamed) : undefined),
    summary,
    isReady: visits !== undefined && (!isQuiet || !before.isPending),
    updatedAt: dataUpdatedAt === 0 ? undefined : new Date(dataUpdatedAt),
    isUnreachable: isError || failureCount > 0 || isOverdue || (dataUpdatedAt === 0 && errorUpdateCount > 0),
  };
}

const undimmedMs = 180_000;

/** Whether the display is dimmed: during the requested hours, except for a while after a new visit. */
function useDimming(dim: string | undefined, latest: Visit | undefined): boolean {
  const { hourOf } = useTimeFormat();
  const now = useNow();
  const [seen, setSeen] = useState<{ readonly id: number | undefined; readonly at: number }>();
  const id = latest?.id;
  // The visit that is shown when the page opens does not end dimming.
  if (id !== undefined && seen?.id !== id) setSeen({ id, at: seen === undefined ? 0 : now.getTime() });
  const isRecentVisit = seen !== undefined && now.getTime() - seen.at < undimmedMs;
  return isDimmedAt(dim, Math.floor(hourOf(now))) && !isRecentVisit;
}

interface LastVisitProps {
  readonly visit: Visit | undefined;
  readonly isReady: boolean;
  readonly isPaper: boolean;
}

const pictureSizes = '(min-aspect-ratio: 1/1) 62vw, 100vw';

/** The last visit, as large as possible. */
function LastVisit({ visit, isReady, isPaper }: LastVisitProps) {
  const { t } = useTranslation('today');
  const { clock, moment, ago, today, dayOf } = useTimeFormat();
  const speciesName = useSpeciesName();
  const cameraName = useCameraName();
  const now = useNow();
  if (visit === undefined) {
    return (
      <section className={classes['last']}>
        <div className={classes['picture']} />
        <div className={classes['words']}>
          <p className={classes['name']}>{isReady ? t('nobody_yet') : '\u00a0'}</p>
          <p className={classes['facts']}>{isReady ? t('nobody_yet_hint') : '\u00a0'}</p>
        </div>
      </section>
    );
  }
  const { species, max_simultaneous: birds, cameras, start_time, end_time, heard, thumbhash } = visit;
  const isOfToday = dayOf(start_time) === today();
  const isHeard = bestDetection(visit) === undefined;
  const when = isOfToday ? clock(start_time) : moment(start_time);
  const facts = [
    // Not on e-paper: it is rarely redrawn, so a relative time would usually be wrong.
    ...(isPaper || !isOfToday ? [] : [ago(end_time, now)]),
    isHeard ? t('heard') : birds > 1 ? t('at_once', { count: birds }) : undefined,
    cameras.map(cameraName).join(', '),
  ].filter(Boolean);
  return (
    <section className={classes['last']} aria-label={t('hero_newest')}>
      <div className={classes['picture']} key={visit.id}>
        {isHeard ? (
          <HeardBird heard={heard} image={species.image_url} />
        ) : (
          <VisitPicture visit={visit} isPaper={isPaper} thumbhash={thumbhash} />
        )}
      </div>
      <div className={classes['words']}>
        <p className={classes['name']}>{speciesName(species.name)}</p>
        {!isPaper && species.scientific_name !== null && (
          <p className={classes['scientific']} lang="la">
            {species.scientific_name}
          </p>
        )}
        <p className={classes['facts']}>
          <strong>{when}</strong>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
    </section>
  );
}

interface HeardBirdProps {
  readonly heard: Visit['heard'];
  /** The picture of the species. */
  readonly image: string | null;
}

/** An audio-only visit: the picture of the species, if any, above its spectrogram. */
function HeardBird({ heard, image }: HeardBirdProps) {
  const { t } = useTranslation('today');
  const sound = <HeardPicture heard={heard} label={t('heard')} />;
  if (image === null) return sound;
  return (
    <div className={classes['heard']}>
      <SpeciesPicture url={image} alt="" isUrgent sizes={pictureSizes} />
      {sound}
    </div>
  );
}

interface VisitPictureProps {
  readonly visit: Visit;
  readonly isPaper: boolean;
  readonly thumbhash: string | null;
}

/** The poster of the recording; on e-paper the crop, as a small bird would only be a grey spot there. */
function VisitPicture({ visit, isPaper, thumbhash }: VisitPictureProps) {
  const { videoId, detectionId } = momentOf(visit);
  const poster = `/api/ui/videos/${videoId}/poster`;
  const crop = detectionId === undefined ? undefined : `/api/ui/detections/${detectionId}/crop`;
  const [url, fallbackUrl] = isPaper && crop ? [crop, poster] : [poster, crop];
  return (
    <SpeciesPicture
      key={url}
      url={url}
      fallbackUrl={fallbackUrl}
      alt=""
      isUrgent
      thumbhash={isPaper ? undefined : thumbhash}
      sizes={pictureSizes}
    />
  );
}

/** Clock and date; on e-paper the time of the last update, as a clock would lag behind. */
function Time({ isPaper, updatedAt }: { readonly isPaper: boolean; readonly updatedAt: Date | undefined }) {
  const { t } = useTranslation('wall');
  const { clock, longDayShort, today } = useWallTime();
  const now = useNow(isPaper ? stillIntervalMs : 1_000);
  const shown = isPaper ? updatedAt : now;
  return (
    <header className={classes['time']}>
      <p className={classes['clock']}>
        {isPaper && <span className={classes['as-of']}>{t('as_of')} </span>}
        <time>{shown ? clock(shown) : '–'}</time>
      </p>
      <p className={classes['date']}>{longDayShort(today())}</p>
    </header>
  );
}

function useWallTime() {
  const format = useTimeFormat();
  const longDayShort = useMemo(() => {
    const options = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
    const words = new Intl.DateTimeFormat(format.language, options);
    return (day: string) => {
      const text = words.format(new Date(`${day}T12:00:00Z`));
      return text.charAt(0).toLocaleUpperCase(format.language) + text.slice(1);
    };
  }, [format.language]);
  return { ...format, longDayShort };
}

function Figures({ summary }: { readonly summary: DaySummary | undefined }) {
  const { t } = useTranslation('today');
  const { number } = useTimeFormat();
  const figures = [
    [t('figure_visits'), summary?.visits],
    [t('figure_species'), summary?.species.length],
  ] as const;
  return (
    <dl className={classes['figures']}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === undefined ? '–' : number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SpeciesListProps {
  readonly summary: DaySummary | undefined;
  readonly isReady: boolean;
  readonly isPaper: boolean;
}

/** More species do not fit on any display. */
const maxSpecies = 24;

/** The species of the day with their visits; as many as fit. */
function SpeciesList({ summary, isReady, isPaper }: SpeciesListProps) {
  const { t } = useTranslation('today');
  const { number } = useTimeFormat();
  const speciesName = useSpeciesName();
  const species = summary?.species.slice(0, maxSpecies) ?? [];
  const max = species[0]?.visits ?? 1;
  return (
    <section className={classes['species']} aria-labelledby="wall-species">
      <h2 id="wall-species">{t('species_of_day')}</h2>
      {species.length > 0 && (
        <ol>
          {species.map((one) => (
            <li key={one.species.id} style={{ '--share': one.visits / max } as CSSProperties}>
              {!isPaper && (
                <span className={classes['portrait']}>
                  {one.isHeardOnly && one.species.image_url === null ? (
                    <HeardPicture heard={one.heard ?? null} label={t('heard')} ratio={1} />
                  ) : (
                    <SpeciesPicture
                      url={
                        one.bestDetectionId === undefined
                          ? one.species.image_url
                          : `/api/ui/detections/${one.bestDetectionId}/crop`
                      }
                      fallbackUrl={one.species.image_url}
                      alt=""
                      ratio={1}
                      thumbhash={one.thumbhash}
                      sizes="4rem"
                    />
                  )}
                </span>
              )}
              <span className={classes['label']}>{speciesName(one.species.name)}</span>
              <span className={classes['count']}>{number(one.visits)}</span>
            </li>
          ))}
        </ol>
      )}
      {species.length === 0 && isReady && <p>{t('nobody_yet')}</p>}
    </section>
  );
}

const statusIntervalMs = 60_000;

/** Problems of the hub, readable from a distance; renders nothing without problems. */
function Troubles({
  updatedAt,
  isUnreachable,
}: {
  readonly updatedAt: Date | undefined;
  readonly isUnreachable: boolean;
}) {
  const { t } = useTranslation('wall');
  const { t: tToday } = useTranslation('today');
  const { clock, moment, dayOf, today, ago } = useTimeFormat();
  const now = useNow();
  const options = { ...retries, refetchInterval: statusIntervalMs };
  const { data: status } = useQuery({ ...statusQuery, ...options });
  const timeOf = (at: Date) => (dayOf(at) === today() ? clock(at) : moment(at));
  const sourcesOf = (state: 'error' | 'silent') =>
    status?.sources.filter((source) => source.state === state).map(({ name }) => name) ?? [];
  const [failing, silent] = [sourcesOf('error'), sourcesOf('silent')];
  const lastSeen = status?.processor_last_seen;
  const known = [
    status?.storage === 'error' && tToday('storage_full'),
    status?.processor === 'error' && lastSeen && tToday('processor_away', { ago: ago(lastSeen, now) }),
    failing.length > 0 && tToday('sources_failing', { count: failing.length, names: failing.join(', ') }),
    silent.length > 0 && tToday('sources_silent', { count: silent.length, names: silent.join(', ') }),
    status?.esphome === 'error' && t('feeder_away'),
  ];
  const unreachable = isUnreachable && (updatedAt ? t('away_since', { time: timeOf(updatedAt) }) : t('away'));
  const troubles = (unreachable ? [unreachable] : known).filter(
    (one): one is string => typeof one === 'string',
  );
  return (
    <div role="status" className={classes['troubles']}>
      {troubles.map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  );
}
