import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { preload } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { thumbHashToDataURL } from 'thumbhash';
import { hubUrl } from '../../api/hub-url';
import { useLiveEvents } from '../../api/live/live-events';
import { useOnUnlock } from '../../api/unlock';
import classes from './hub-picture.module.css';

interface HubPictureProps {
  /** Path from an API response, or an external URL; must also be the component's key. */
  readonly address: string;
  /** Alternative text; empty where the name is shown next to the picture. */
  readonly alt: string;
  readonly className?: string | undefined;
  /** Whether it loads eagerly, as the first pictures of a page do. */
  readonly isUrgent?: boolean;
  /** ThumbHash of the picture in Base64; drawn as a placeholder until the picture is loaded. */
  readonly thumbhash?: string | null | undefined;
  /** Display width, as the `sizes` attribute of an image; crops and posters are loaded in the width that fits. */
  readonly sizes?: string | undefined;
  readonly onFailed: (why: PictureFailure) => void;
}

function Silhouette() {
  return (
    <svg viewBox="0 0 64 48" aria-hidden="true" className={classes['bird']}>
      <path d="M4 15l9-3c1-6 6-10 12-10 7 0 11 4 13 10 8 2 16 8 22 18-6 1-11 1-15 0-3 6-9 9-16 9l-1 6h-3l1-6-4-1-2 6h-3l2-8C13 32 10 26 12 18z" />
    </svg>
  );
}

const defaultSizes = '(min-width: 62em) 20rem, 50vw';
const widths = { crop: [160, 320, 640, 960, 1280], poster: [320, 640, 960, 1280] };

/** Returns a `srcset` for a picture that the hub serves in several widths; undefined for other pictures. */
export function srcSetOf(address: string): string | undefined {
  // Some paths from the hub start with its base path.
  const kind = /^(?!https?:).*\bapi\/ui\/.*\/(crop|poster)$/.exec(address)?.[1];
  if (kind !== 'crop' && kind !== 'poster') return undefined;
  return widths[kind].map((width) => `${hubUrl(address)}?width=${width} ${width}w`).join(', ');
}

/** Loads a picture that will be shown soon, in its display width (the `sizes` attribute of an image). */
export function prefetchPicture(address: string, sizes: string): void {
  const image = new Image();
  const srcSet = srcSetOf(address);
  if (srcSet !== undefined) {
    image.sizes = sizes;
    image.srcset = srcSet;
  }
  image.src = hubUrl(address);
}

/** Drawn placeholders, as the same pictures are shown repeatedly. */
const drawn = new Map<string, string | undefined>();
const maxDrawn = 500;

/** Returns a ThumbHash as a data URL; undefined if it is invalid. */
function readThumbhash(thumbhash: string | null | undefined): string | undefined {
  if (!thumbhash) return undefined;
  if (!drawn.has(thumbhash)) {
    if (drawn.size >= maxDrawn) drawn.clear();
    drawn.set(thumbhash, drawThumbhash(thumbhash));
  }
  return drawn.get(thumbhash);
}

function drawThumbhash(thumbhash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** A picture with a blurred or shimmering placeholder until it is loaded; the hub may still have to create it. */
export function HubPicture(props: HubPictureProps) {
  const { address, alt, className, isUrgent = false, thumbhash, sizes = defaultSizes, onFailed } = props;
  const srcSet = srcSetOf(address);
  const { state, attempt, ...image } = usePicture(address);
  // Starts loading before the rest of the page is rendered.
  if (isUrgent)
    preload(image.src, {
      as: 'image',
      fetchPriority: 'high',
      ...(srcSet !== undefined && { imageSrcSet: srcSet, imageSizes: sizes }),
    });
  const reportFailure = useEffectEvent(onFailed);
  const why = state.kind === 'failed' ? state.why : undefined;
  useEffect(() => {
    if (why !== undefined) reportFailure(why);
  }, [why]);
  if (why !== undefined) return null;
  return (
    <>
      {state.kind !== 'shown' && (
        <Placeholder thumbhash={thumbhash} isUrgent={isUrgent} isPending={state.kind === 'pending'} />
      )}
      <img
        key={attempt}
        {...(srcSet !== undefined && { srcSet, sizes })}
        {...image}
        alt={state.kind === 'shown' ? alt : ''}
        className={`${classes['picture']} ${className ?? ''}`}
        data-pending={state.kind === 'pending' || undefined}
        loading={isUrgent ? 'eager' : 'lazy'}
        fetchPriority={isUrgent ? 'high' : 'auto'}
        decoding="async"
      />
    </>
  );
}

interface PlaceholderProps {
  readonly thumbhash: string | null | undefined;
  readonly isUrgent: boolean;
  /** Whether the hub has yet to create the picture. */
  readonly isPending: boolean;
}

/** A blurred copy of the picture, or a silhouette; copies that are not urgent are drawn after the page layout. */
function Placeholder({ thumbhash, isUrgent, isPending }: PlaceholderProps) {
  const { t } = useTranslation('components');
  const [isDrawn, setDrawn] = useState(isUrgent);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true));
    return () => clearTimeout(timer);
  }, []);
  const blurred = useMemo(() => (isDrawn ? readThumbhash(thumbhash) : undefined), [isDrawn, thumbhash]);
  return (
    <span
      className={classes['shimmer']}
      data-pending={isPending || undefined}
      data-blurred={blurred !== undefined || undefined}
      style={blurred === undefined ? undefined : { backgroundImage: `url(${blurred})` }}
      title={isPending ? t('picture_pending') : undefined}
    >
      {blurred === undefined && <Silhouette />}
    </span>
  );
}

type PictureState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'pending'; readonly videoId: number | undefined }
  | { readonly kind: 'shown' }
  | { readonly kind: 'failed'; readonly why: PictureFailure };

/** Properties for an `<img>`, and its state. */
interface UsedPicture {
  readonly state: PictureState;
  /** Use as `key`: a new element loads again. */
  readonly attempt: number;
  readonly src: string;
  readonly onLoad: () => void;
  readonly onError: () => void;
}

const retryMs = 10_000;
/** Retries for a picture that the hub sends but the browser cannot decode. */
const maxDecodeRetries = 2;

/** Asks the hub why a picture did not load; an unreachable hub counts as pending. */
async function explainPicture(address: string, signal: AbortSignal): Promise<PictureProblem> {
  try {
    const response = await fetch(hubUrl(address), { signal, headers: { accept: 'image/*' } });
    if (response.ok) {
      await response.body?.cancel();
      return { kind: 'available' };
    }
    const body: unknown = await response.json().catch(() => ({}));
    return readRefusal(response.status, typeof body === 'object' && body !== null ? body : {});
  } catch {
    return { kind: 'pending', videoId: undefined };
  }
}

/**
 * Loads a picture that the hub may still have to create: retries when a live event reports that the pictures of its
 * recording are ready, and every ten seconds. External pictures are tried once. Key the component by the address.
 */
export function usePicture(address: string): UsedPicture {
  const isExternal = /^https?:/.test(address);
  const [attempt, setAttempt] = useState(0);
  const [errors, setErrors] = useState(0);
  const [decodeRetries, setDecodeRetries] = useState(0);
  const [state, setState] = useState<PictureState>({ kind: 'loading' });
  const tryAgain = () => setAttempt((before) => before + 1);

  const handleProblem = useEffectEvent((problem: PictureProblem) => {
    if (problem.kind !== 'available') return setState(problem);
    if (decodeRetries === maxDecodeRetries) return setState({ kind: 'failed', why: 'unknown' });
    setDecodeRetries(decodeRetries + 1);
    tryAgain();
  });

  useEffect(() => {
    if (errors === 0) return;
    const controller = new AbortController();
    void explainPicture(address, controller.signal).then((problem) => {
      if (!controller.signal.aborted) handleProblem(problem);
    });
    return () => controller.abort();
  }, [address, errors]);

  const isPending = state.kind === 'pending';
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => setAttempt((before) => before + 1), retryMs);
    return () => clearInterval(timer);
  }, [isPending]);

  useLiveEvents(['pictures'], ({ data }) => {
    if (isPending && state.videoId !== undefined && data['video_id'] === state.videoId) tryAgain();
  });

  useOnUnlock(() => {
    if (state.kind !== 'failed' || state.why !== 'locked') return;
    setState({ kind: 'loading' });
    tryAgain();
  });

  return {
    state,
    attempt,
    src: isExternal ? address : hubUrl(address),
    onLoad: () => setState({ kind: 'shown' }),
    onError() {
      if (isExternal) return setState({ kind: 'failed', why: 'unknown' });
      if (!isPending) setState({ kind: 'pending', videoId: undefined });
      setErrors(errors + 1);
    },
  };
}

/** `none`: there never was any media, as for a sighting without a photo. */
export type PictureFailure = 'purged' | 'missing' | 'damaged' | 'deleted' | 'locked' | 'none' | 'unknown';

/** Why a picture did not load; `available` when it can be loaded by now. */
type PictureProblem =
  | { readonly kind: 'available' }
  | { readonly kind: 'pending'; readonly videoId: number | undefined }
  | { readonly kind: 'failed'; readonly why: PictureFailure };

interface Refusal {
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly video_id?: unknown;
}

const failures: Readonly<Record<string, PictureFailure>> = {
  media_missing: 'missing',
  media_purged: 'purged',
  recording_deleted: 'deleted',
  video_not_found: 'deleted',
  detection_not_found: 'deleted',
  unlock_required: 'locked',
};
const reasons: readonly unknown[] = ['purged', 'missing', 'damaged', 'none'] satisfies PictureFailure[];

/** Interprets an error response for a picture. */
export function readRefusal(status: number, { code, reason, video_id }: Refusal): PictureProblem {
  if (status >= 500 || status === 429 || reason === 'pending')
    return { kind: 'pending', videoId: typeof video_id === 'number' ? video_id : undefined };
  if (reasons.includes(reason)) return { kind: 'failed', why: reason as PictureFailure };
  return { kind: 'failed', why: failures[String(code)] ?? 'unknown' };
}
