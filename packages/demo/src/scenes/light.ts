/** The light at different times of day; at night, the camera uses infrared. */
export const lights = ['dawn', 'day', 'dusk', 'night'] as const;

/** One of {@link lights}. */
export type Light = (typeof lights)[number];

/** Converts red, green and blue of a picture to their values in a certain light. */
export type ColourMatrix = [[number, number, number], [number, number, number], [number, number, number]];

/** The matrix of each light; undefined for daylight, which changes nothing. */
export const colourOf: Readonly<Record<Light, ColourMatrix | undefined>> = {
  dawn: [
    [1.06, 0.06, 0],
    [0.03, 0.9, 0.01],
    [0.02, 0.04, 0.76],
  ],
  day: undefined,
  dusk: [
    [0.9, 0.04, 0],
    [0.03, 0.72, 0.04],
    [0.05, 0.12, 0.66],
  ],
  night: [
    [0.2, 0.47, 0.16],
    [0.21, 0.49, 0.17],
    [0.2, 0.48, 0.17],
  ],
};

/** Brightness factor of the background; the light of an infrared lamp hardly reaches it. */
export const farLight: Readonly<Record<Light, number>> = { dawn: 1, day: 1, dusk: 0.94, night: 0.34 };
