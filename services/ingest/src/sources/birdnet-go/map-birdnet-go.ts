import { parseInstant } from '@birdhub/shared/time';
import { readWallClock, toInstants } from '../local-time.js';
import { type Sentence, say } from '../sentences.js';
import type { Mapped } from '../source-kind.js';
import {
  detectionOf,
  explainLowConfidence,
  pairName,
  readNumber,
  readObject,
  readText,
} from '../upstream-values.js';

/** The context of the mapping of an item. */
export interface BirdNetGoContext {
  /** Zone of the local times without an offset that old versions return. */
  readonly zone: string;
  readonly minConfidence: number | undefined;
  /** `bat` and `unlikely` are only accepted if listed. */
  readonly labels: readonly string[];
  /** Such as `birdnet-go nightly-20260801`. */
  readonly processorVersion: string;
  /** Extension of clips without a name. */
  readonly extension: string;
  /** Whether it was stored before, in which case it is updated and never skipped. */
  readonly isKnown: boolean;
}

/** Assumed length of a clip without an end. */
const defaultLengthMs = 15_000;
const maxLengthMs = 60 * 60_000;
const maxCameraLength = 64;

/** Maps a detection of `GET /api/v2/detections` to an event, or returns why it is skipped. Never throws. */
export function mapDetection(item: unknown, context: BirdNetGoContext): Mapped {
  const detection = readObject(item);
  const id = readNumber(detection['id']);
  const start = readStart(detection, context.zone);
  const drop = (reason: Sentence): Mapped => ({
    dropped: { upstreamId: id === undefined ? 'unknown' : String(id), at: start, reason },
  });
  if (id === undefined || !Number.isSafeInteger(id) || id < 0) return drop(say('no_id'));
  if (start === undefined) return drop(say('no_time'));
  const name = pairName(readText(detection['scientificName']), readText(detection['commonName']));
  if (name === undefined) return drop(say('no_species'));
  const confidence = readNumber(detection['confidence']);
  if (confidence === undefined || confidence < 0 || confidence > 1) return drop(say('no_confidence'));
  const verified = readText(detection['verified']);
  const refusal = context.isKnown ? undefined : findRefusal(detection, confidence, verified, context);
  if (refusal !== undefined) return drop(refusal);
  const isFalse = verified === 'false_positive';
  const end = readEnd(detection, start);
  return {
    event: {
      upstreamId: String(id),
      start,
      end,
      isOpen: false,
      camera: readCamera(detection),
      processorVersion: context.processorVersion,
      detections: [
        detectionOf({
          speciesName: isFalse ? 'Unknown' : name,
          confidence,
          startOffset: 0,
          endOffset: (end - start) / 1000,
          source: 'audio',
          provider: 'birdnet-go',
          reviewed: isFalse || verified === 'correct',
        }),
      ],
      isFavorite: detection['locked'] === true,
      media: { extension: extensionOf(detection['clipName']) ?? context.extension, reference: { id } },
      extra: {
        birdnet_go: {
          id,
          verified: verified ?? 'unverified',
          locked: detection['locked'] === true,
          unlikely: detection['unlikely'] === true,
          model: readText(detection['modelType']) ?? 'bird',
          source: readSource(detection).id ?? null,
        },
      },
      rereadAfterMs: [],
    },
  };
}

function findRefusal(
  detection: Readonly<Record<string, unknown>>,
  confidence: number,
  verified: string | undefined,
  { labels, minConfidence }: BirdNetGoContext,
): Sentence | undefined {
  if (verified === 'false_positive') return say('false_positive', { program: 'BirdNET-Go' });
  if (detection['modelType'] === 'bat' && !labels.includes('bat')) return say('bat');
  if (verified === 'correct') return undefined;
  if (detection['unlikely'] === true && !labels.includes('unlikely')) return say('unlikely');
  return explainLowConfidence(confidence, minConfidence);
}

/** `beginTime` has an offset; in detections of old versions it is in year 1. */
function readStart(detection: Readonly<Record<string, unknown>>, zone: string): number | undefined {
  const start = readInstant(detection['beginTime']) ?? readInstant(detection['timestamp']);
  if (start !== undefined) return start;
  const wall = readWallClock(`${readText(detection['date']) ?? ''} ${readText(detection['time']) ?? ''}`);
  return wall === undefined ? undefined : toInstants(zone, wall).first;
}

function readEnd(detection: Readonly<Record<string, unknown>>, start: number): number {
  const end = readInstant(detection['endTime']) ?? start;
  return end > start && end - start <= maxLengthMs ? end : start + defaultLengthMs;
}

function readInstant(value: unknown): number | undefined {
  const instant = parseInstant(readText(value) ?? '');
  return instant !== undefined && instant > 0 ? instant : undefined;
}

/** Prefers the name given by the owner, as ids depend on the address of a stream. Without a login there is neither. */
function readCamera(detection: Readonly<Record<string, unknown>>): string {
  const { displayName, id } = readSource(detection);
  const name = displayName ?? id ?? '';
  return (
    name
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, maxCameraLength)
      .trim() || 'BirdNET-Go'
  );
}

/** In old versions the source is a text, possibly the URL of a stream with its login, which is removed. */
function readSource(detection: Readonly<Record<string, unknown>>) {
  const text = readText(detection['source'])?.replace(/^([a-z]+:\/\/).*@/i, '$1');
  const { displayName, id } = readObject(detection['source']);
  return { displayName: readText(displayName), id: readText(id) ?? text };
}

const extensions = ['.wav', '.mp3', '.flac', '.m4a', '.opus', '.aac', '.ogg'];

function extensionOf(clipName: unknown): string | undefined {
  const [extension = ''] = /\.\w+$/.exec(readText(clipName)?.toLowerCase() ?? '') ?? [];
  return extensions.includes(extension) ? extension : undefined;
}

/** Returns the extension of a clip by its content type; undefined unless it is audio. */
export function extensionOfType(type: string | undefined): string | undefined {
  const [name = ''] = (type ?? '').split(';');
  return contentTypes[name.trim().toLowerCase()];
}

const contentTypes: Readonly<Record<string, string>> = {
  'audio/wav': '.wav',
  'audio/wave': '.wav',
  'audio/x-wav': '.wav',
  'audio/vnd.wave': '.wav',
  'audio/mpeg': '.mp3',
  'audio/mp3': '.mp3',
  'audio/flac': '.flac',
  'audio/x-flac': '.flac',
  'audio/mp4': '.m4a',
  'audio/x-m4a': '.m4a',
  'audio/aac': '.aac',
  'audio/ogg': '.ogg',
  'audio/opus': '.opus',
};
