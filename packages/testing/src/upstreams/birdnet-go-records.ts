import { readWallClock, toZonedText } from './station-time.js';

/** A detection that a test adds to the stub of a station. Times in ms since the epoch. */
export interface NewBirdNetGoDetection {
  /** Default: the next number. */
  readonly id?: number;
  readonly scientificName?: string;
  /** In the language of the station. */
  readonly commonName?: string;
  readonly confidence?: number;
  /** The start of the clip. */
  readonly begin?: number;
  /** Time between `beginTime` and `endTime`. */
  readonly seconds?: number;
  /** Length of the file. Default: `seconds`. */
  readonly clipSeconds?: number;
  readonly source?: { readonly id: string; readonly type?: string; readonly displayName?: string } | null;
  /** `later`: 503 for now. `none`: never existed. `gone`: 404. */
  readonly clip?: 'ready' | 'later' | 'none' | 'gone';
  readonly modelType?: 'bird' | 'bat';
  readonly verified?: Verified;
  readonly locked?: boolean;
  readonly unlikely?: boolean;
  /** Not published by MQTT, like one suppressed by the interval of its species. */
  readonly isSilent?: boolean;
}

export type Verified = 'correct' | 'false_positive' | 'unverified';

/** A detection stored in the stub. */
export interface BirdNetGoDetection extends Required<Omit<NewBirdNetGoDetection, 'isSilent'>> {
  clip: 'ready' | 'later' | 'none' | 'gone';
  verified: Verified;
}

/** Properties of the station. */
export interface Station {
  readonly timezone: string;
  readonly extension: string;
}

const codes: Readonly<Record<string, string>> = { 'Parus major': 'gretit1', 'Cyanistes caeruleus': 'blutit' };

/** Returns the detection as in the REST API; without the source for clients that are not logged in. */
export function toRestDetection(
  detection: BirdNetGoDetection,
  { timezone, extension }: Station,
  isTrusted: boolean,
): Record<string, unknown> {
  const { id, begin, source } = detection;
  const { date, time } = readWallClock(begin, timezone);
  return {
    id,
    date,
    time,
    timestamp: toZonedText(begin, timezone),
    ...(isTrusted && source ? { source } : {}),
    beginTime: toZonedText(begin, timezone),
    endTime: toZonedText(begin + detection.seconds * 1000, timezone),
    speciesCode: codes[detection.scientificName] ?? '',
    scientificName: detection.scientificName,
    commonName: detection.commonName,
    confidence: detection.confidence,
    ...(detection.clip === 'none' ? {} : { clipName: clipNameOf(detection, timezone, extension) }),
    modelType: detection.modelType,
    verified: detection.verified,
    locked: detection.locked,
    ...(detection.unlikely ? { unlikely: true } : {}),
  };
}

/** Returns the data of a `detection` event of the stream. */
export function toStreamed(detection: BirdNetGoDetection, station: Station): Record<string, unknown> {
  const { source: _source, modelType: _model, ...row } = toRestDetection(detection, station, false);
  const { id, type } = detection.source ?? {};
  const image = { URL: '', ScientificName: detection.scientificName, AuthorName: '', LicenseName: '' };
  return { ...row, ...(id ? { source: { id, type } } : {}), birdImage: image, eventType: 'new_detection' };
}

/** Returns the MQTT message on the topic of the station. */
export function toNote(
  detection: BirdNetGoDetection,
  { timezone, extension }: Station,
): Record<string, unknown> {
  const { date, time } = readWallClock(detection.begin, timezone);
  return {
    SourceNode: 'BirdNET-Go',
    Date: date,
    Time: time,
    BeginTime: toZonedText(detection.begin, timezone),
    EndTime: toZonedText(detection.begin + detection.seconds * 1000, timezone),
    SpeciesCode: codes[detection.scientificName] ?? '',
    ScientificName: detection.scientificName,
    CommonName: detection.commonName,
    Confidence: Math.round(detection.confidence * 100) / 100,
    Latitude: 52.5,
    Longitude: 13.4,
    Threshold: 0.8,
    Sensitivity: 1,
    ClipName: clipNameOf(detection, timezone, extension),
    ProcessingTime: 84_000_000,
    Unlikely: detection.unlikely,
    Results: null,
    Review: null,
    Comments: null,
    Lock: null,
    Verified: detection.verified === 'unverified' ? '' : detection.verified,
    Locked: detection.locked,
    Model: { Name: 'BirdNET', Version: '2.4', ModelType: detection.modelType },
    RawLabel: `${detection.scientificName}_${detection.commonName}`,
    detectionId: detection.id,
    sourceId: detection.source?.id ?? '',
    ...(detection.source?.displayName ? { sourceName: detection.source.displayName } : {}),
    BirdImage: { URL: '', ScientificName: detection.scientificName, SourceProvider: 'avicommons' },
  };
}

/** Returns the name of the file, which contains the local time with a wrong `Z`. */
function clipNameOf(
  { scientificName, confidence, begin }: BirdNetGoDetection,
  timezone: string,
  extension: string,
) {
  const { date, time } = readWallClock(begin, timezone);
  const name = scientificName.toLowerCase().replaceAll(' ', '_');
  const clock = `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}Z`;
  return `${name}_${Math.round(confidence * 100)}p_${clock}.${extension}`;
}
