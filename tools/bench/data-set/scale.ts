/** The sizes of the data set, by the number of detections. */
export const scaleNames = ['100k', '1m', '10m'] as const;

export type ScaleName = (typeof scaleNames)[number];

export function isScaleName(text: string): text is ScaleName {
  return scaleNames.some((name) => name === text);
}

/** One size of the data set. All sizes end on the same day and contain the days of {@link fixedDays}. */
export interface Scale {
  readonly name: ScaleName;
  readonly days: number;
  readonly recordings: number;
  readonly cameras: 2 | 5;
  /** Number of last days whose detections have stored boxes, in addition to the fixed days. */
  readonly daysWithBoxes: number;
}

export const scales: Readonly<Record<ScaleName, Scale>> = {
  '100k': { name: '100k', days: 183, recordings: 35_000, cameras: 2, daysWithBoxes: 183 },
  '1m': { name: '1m', days: 1_826, recordings: 350_000, cameras: 2, daysWithBoxes: 1_826 },
  '10m': { name: '10m', days: 3_653, recordings: 3_500_000, cameras: 5, daysWithBoxes: 60 },
};

/** The last day of every scale. */
export const lastDate = '2025-12-31';

/** Days with a fixed number of recordings, so that a case reads the same day in every scale. */
export const fixedDays = {
  D3000: { date: '2025-10-19', recordings: 1_065 },
  D1000: { date: '2025-11-16', recordings: 350 },
} as const;

/** The cameras, busiest first; scales with two cameras have the first two. */
export const cameraIds = ['feeder', 'garden', 'terrace', 'pond', 'orchard'] as const;

/** The shares of the recordings by camera, by the number of cameras. */
export const cameraWeights: Readonly<Record<2 | 5, readonly number[]>> = {
  2: [75, 25],
  5: [30, 23, 19, 16, 12],
};

/** The gap of the visit rule in the data set, in ms. */
export const visitGapMs = 60_000;
