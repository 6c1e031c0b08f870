/** A box at one instant of a recording: seconds from its start, corners as fractions of the picture. */
export interface Frame {
  readonly t: number;
  readonly bbox: readonly [number, number, number, number];
}

/** A detection as a processor reports it. */
export interface PostedDetection {
  readonly speciesName: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Seconds from the start of the recording. */
  readonly startOffset: number;
  readonly endOffset: number;
  readonly source: 'video' | 'audio';
  readonly trackId: string | null;
  readonly provider: string | null;
  readonly frames: readonly Frame[];
  /** What else the processor said of it. */
  readonly extra: Readonly<Record<string, unknown>> | null;
  /** What another hub kept of it, from which a new recording is taken over. */
  readonly id?: number | undefined;
  readonly reviewed?: boolean;
  /** RFC 3339. */
  readonly reviewedAt?: string | null;
}

/** A recording as a processor reports it; instants in ms since the epoch. */
export interface PostedRecording {
  readonly processorVersion: string;
  readonly start: number;
  readonly end: number;
  /** Relative to the recordings tree. With the camera it is the key of the recording. */
  readonly videoPath: string;
  /** Empty when the processor names none. */
  readonly cameraId: string;
  readonly spectrogramPath: string | null;
  readonly triggerSource: string | null;
  readonly extra: Readonly<Record<string, unknown>> | null;
  readonly detections: readonly PostedDetection[];
}

/** A posted detection whose species is known. */
export interface ResolvedDetection extends PostedDetection {
  readonly speciesId: number;
}

/** A detection as it is written: what was posted, and what a person made of it. */
export interface DetectionRow extends ResolvedDetection {
  /** Undefined for a new one. */
  readonly id: number | undefined;
  /** What the processor took it for, when a person said otherwise. */
  readonly originalSpeciesId: number | null;
  readonly reviewed: boolean;
  /** RFC 3339. */
  readonly reviewedAt: string | null;
  /** The stored detection of the same bird whose review this one takes over. */
  readonly inheritsFrom?: number | undefined;
}

/** A detection as it stands in the database, whole. */
export interface StoredRow extends DetectionRow {
  readonly id: number;
  readonly visitId: number;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

/** Who asks for a change, for the log and the events of it. */
export interface Author {
  /** As the gateway says: `contributor` or `admin`. */
  readonly role: string;
  readonly requestId: string;
}
