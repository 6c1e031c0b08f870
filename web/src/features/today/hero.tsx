import { ActionIcon, Skeleton, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useOnUnlock } from '../../api/unlock';
import { NoteworthyBadge, type NoteworthyReason } from '../../components/highlights/noteworthy-badge';
import { HeardPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { ShareButton } from '../../components/share/share-button';
import { linkToMoment } from '../../components/visits/describe-visit';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { playOr } from '../../lib/play';
import { readStored, store } from '../../lib/storage';
import { useMedia } from '../../lib/use-media';
import type { Hero as HeroFacts } from './choose-hero';
import classes from './hero.module.css';

const sizes = '(min-width: 75em) 48rem, (min-width: 62em) 60vw, 100vw';
const ratio = 16 / 9;

interface HeroProps {
  readonly hero: HeroFacts;
  readonly reason: NoteworthyReason | undefined;
}

/** The newest bird or the best moment of the day, as a silent clip; links to the recording. */
export function Hero({ hero, reason }: HeroProps) {
  const { t } = useTranslation('today');
  const { ago, clock, moment } = useTimeFormat();
  const now = useNow();
  const name = useSpeciesName()(hero.speciesName);
  const { kind, videoId, detectionId, seconds, birds, at, thumbhash, mediaKind, heard } = hero;
  const isHeard = mediaKind === 'audio';
  const facts = [
    isHeard ? t('heard') : t('at_once', { count: birds }),
    kind === 'newest' ? ago(at, now) : clock(at),
  ];
  return (
    <article className={classes['hero']}>
      {isHeard ? (
        <HeardPicture heard={heard} label={t('heard')} ratio={ratio} />
      ) : (
        <SpeciesPicture
          url={`/api/ui/videos/${videoId}/poster`}
          fallbackUrl={detectionId === undefined ? undefined : `/api/ui/detections/${detectionId}/crop`}
          alt=""
          ratio={ratio}
          isUrgent
          thumbhash={thumbhash}
          sizes={sizes}
        />
      )}
      <Link {...linkToMoment({ videoId, detectionId, seconds })} className={classes['link']}>
        <span className={classes['words']}>
          <span className={classes['kind']}>
            {t(kind === 'newest' ? 'hero_newest' : 'hero_best')}
            {reason && <NoteworthyBadge reason={reason} />}
          </span>
          <Text component="span" className={classes['name']}>
            {name}
          </Text>
          <Text component="span" className={classes['facts']}>
            {facts.join(' · ')}
          </Text>
        </span>
      </Link>
      <div className={classes['share']}>
        <ShareButton
          what={{ videoId, ...(seconds !== undefined && seconds > 0 && { t: Math.floor(seconds) }) }}
          title={`${name}, ${moment(at)}`}
          isOnPicture
        />
      </div>
      {mediaKind === 'video' && <Clip key={`${videoId} ${detectionId}`} hero={hero} />}
    </article>
  );
}

const storageKey = 'birdhub.hero';
/** Length of the clip, and how long before the best moment it starts. */
const clipSeconds = 8;
const leadSeconds = 1.5;

interface NetworkInformation {
  readonly saveData?: boolean;
}

const isSavingData = () =>
  (navigator as Navigator & { readonly connection?: NetworkInformation }).connection?.saveData === true;

/** The clip over its poster. Plays automatically, except with reduced motion, reduced data, or after it was paused. */
function Clip({ hero: { videoId, seconds = 0 } }: { readonly hero: HeroFacts }) {
  const { t } = useTranslation('today');
  const isMotionReduced = useMedia('(prefers-reduced-motion: reduce)');
  const [isWanted, setWanted] = useState(
    () => !isMotionReduced && !isSavingData() && readStored(storageKey) !== 'paused',
  );
  const [isReady, setReady] = useState(false);
  const [isShown, setShown] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const { ref, entry } = useIntersection<HTMLDivElement>({ threshold: 0.3 });
  const video = useRef<HTMLVideoElement>(null);
  const start = Math.max(0, seconds - leadSeconds);
  useOnUnlock(() => setFailed(false));

  // The clip loads after the pictures of the page.
  useEffect(() => {
    const begin = () => setReady(true);
    if (document.readyState === 'complete') {
      const timer = setTimeout(begin, 600);
      return () => clearTimeout(timer);
    }
    addEventListener('load', begin, { once: true });
    return () => removeEventListener('load', begin);
  }, []);

  const isPlaying = isWanted && isReady && entry?.isIntersecting === true && !hasFailed;
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    if (isPlaying) void playOr(element, () => setWanted(false));
    else element.pause();
  }, [isPlaying]);

  if (hasFailed) return null;
  const toggle = () => {
    store(storageKey, isWanted ? 'paused' : 'playing');
    setReady(true);
    setWanted(!isWanted);
  };
  return (
    <div ref={ref} className={classes['clip']}>
      {(isPlaying || isShown) && (
        <video
          ref={video}
          className={classes['video']}
          data-shown={isShown || undefined}
          src={`${hubUrl(`/api/ui/videos/${videoId}/stream`)}#t=${start}`}
          muted
          playsInline
          preload="auto"
          disablePictureInPicture
          tabIndex={-1}
          aria-hidden="true"
          onPlaying={() => setShown(true)}
          onTimeUpdate={({ currentTarget: element }) => {
            if (element.currentTime > start + clipSeconds) element.currentTime = start;
          }}
          onEnded={({ currentTarget: element }) => {
            // Not `loop`, which would restart at 0, before the bird appears.
            element.currentTime = start;
            void playOr(element, () => setWanted(false));
          }}
          onError={() => setFailed(true)}
        />
      )}
      <ActionIcon
        className={classes['toggle'] ?? ''}
        size={40}
        radius="xl"
        variant="filled"
        color="dark"
        aria-label={t(isWanted ? 'hero_pause' : 'hero_play')}
        onClick={toggle}
      >
        {isWanted ? (
          <IconPlayerPauseFilled size={18} aria-hidden />
        ) : (
          <IconPlayerPlayFilled size={18} aria-hidden />
        )}
      </ActionIcon>
    </div>
  );
}

/** Placeholder of the hero. */
export function HeroLoading() {
  return <Skeleton className={classes['hero'] ?? ''} style={{ aspectRatio: ratio }} />;
}
