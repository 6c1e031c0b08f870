import type { Frame } from '@birdhub/domain/recordings';

const isCorner = (value: unknown): value is number =>
  typeof value === 'number' && value >= -0.05 && value <= 1.05;

function toFrame(given: unknown): Frame | undefined {
  const { t, bbox } = (given ?? {}) as { t?: unknown; bbox?: unknown };
  if (typeof t !== 'number' || t < 0 || !Array.isArray(bbox) || bbox.length !== 4) return undefined;
  const [x1, y1, x2, y2] = bbox;
  if (![x1, y1, x2, y2].every(isCorner)) return undefined;
  return { t, bbox: [x1, y1, x2, y2] };
}

/** The boxes in a JSON text; one that is out of the picture, or none at all, is left out. */
export function readFrames(text: string | undefined): Frame[] {
  try {
    const frames: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(frames) ? frames.map(toFrame).filter((frame) => frame !== undefined) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
