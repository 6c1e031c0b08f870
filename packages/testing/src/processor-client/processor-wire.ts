/** A box relative to the size of the picture: left, top, right, bottom, each from 0 to 1. */
export type WireBox = [x1: number, y1: number, x2: number, y2: number];

/** The box of a bird at one instant; `t` in seconds from the start of the recording. */
export interface WireFrame {
  t: number;
  bbox: WireBox;
}

/** A detection of a recording; times in seconds from the start of the recording. */
export interface WireDetection {
  species_name: string;
  confidence: number;
  start_time: number;
  end_time: number;
  source: 'video' | 'audio';
  track_id?: string | number;
  frames?: WireFrame[];
  detection_provider?: string;
  [extra: string]: unknown;
}

/** Body of `POST /videos`; times are ISO 8601, in UTC if they have no offset. */
export interface RecordingBody {
  processor_version: string;
  start_time: string;
  end_time: string;
  video_path: string;
  spectrogram_path?: string;
  camera_id?: string;
  trigger_source?: string;
  species: WireDetection[];
  [extra: string]: unknown;
}

/** Response of `POST /videos`; `deleted` means that a user deleted the recording, so nothing was stored. */
export interface RecordingResponse {
  message: string;
  video_id: number;
  created: boolean;
  detections: number;
  dropped: number;
  visits: number[];
  deleted?: boolean;
}

/** Response of `PUT /species/active`. */
export interface ActiveSpeciesResponse {
  message: string;
  active_feeder_names: string[];
}

/** Body of `POST /notify/detections`. */
export interface DetectionNotice {
  detection: string;
  image_base64?: string;
  image_path?: string;
  link?: string;
}

/** Response of both notify routes. */
export interface MessageResponse {
  message: string;
}

/** Body of `POST /activity_log`; with an `id`, an existing row is updated. */
export interface ActivityBody {
  type: string;
  data: Record<string, unknown>;
  id?: number;
}

/** A command for the processor, repeated until a heartbeat acknowledges it. */
export interface ProcessorCommand {
  id: number;
  type: string;
}

/** Response of `POST /activity_log`; only responses to heartbeats have commands. */
export interface ActivityResponse {
  message: string;
  id: number;
  commands?: ProcessorCommand[];
}
