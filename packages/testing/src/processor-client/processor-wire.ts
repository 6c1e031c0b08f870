/** A box as shares of the picture: left, top, right, bottom, each 0 to 1. */
export type WireBox = [x1: number, y1: number, x2: number, y2: number];

/** Where a subject stands at one instant; `t` in seconds from the start of the recording. */
export type WireFrame = { t: number; bbox: WireBox };

/** One row of a recording: a species seen or heard for a while; times in seconds from its start. */
export type WireDetection = {
  species_name: string;
  confidence: number;
  start_time: number;
  end_time: number;
  source: 'video' | 'audio';
  track_id?: string | number;
  frames?: WireFrame[];
  detection_provider?: string;
  [extra: string]: unknown;
};

/** Body of `POST /videos`; times are ISO, without a zone they mean UTC. */
export type RecordingBody = {
  processor_version: string;
  start_time: string;
  end_time: string;
  video_path: string;
  spectrogram_path?: string;
  camera_id?: string;
  trigger_source?: string;
  species: WireDetection[];
  [extra: string]: unknown;
};

/** Answer of `POST /videos`; `deleted` says that a person removed the recording and nothing was stored. */
export type RecordingAnswer = {
  message: string;
  video_id: number;
  created: boolean;
  detections: number;
  dropped: number;
  visits: number[];
  deleted?: boolean;
};

/** Answer of `PUT /species/active`. */
export type ActiveSpeciesAnswer = { message: string; active_feeder_names: string[] };

/** Body of `POST /notify/detections`. */
export type DetectionNotice = {
  detection: string;
  image_base64?: string;
  image_path?: string;
  link?: string;
};

/** Answer of both notify routes. */
export type MessageAnswer = { message: string };

/** Body of `POST /activity_log`; with an `id` that row is updated. */
export type ActivityBody = { type: string; data: Record<string, unknown>; id?: number };

/** A command for the processor, repeated until a heartbeat acknowledges it. */
export type ProcessorCommand = { id: number; type: string };

/** Response of `POST /activity_log`; only those to heartbeats have commands. */
export type ActivityAnswer = { message: string; id: number; commands?: ProcessorCommand[] };
