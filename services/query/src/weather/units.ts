type Scale = readonly [factor: number, zero: number];

/** What is read when a source names no unit comes first. */
const scales = {
  celsius: { '°C': [1, 0], '°F': [5 / 9, -160 / 9], K: [1, -273.15] },
  hectopascals: {
    hPa: [1, 0],
    mbar: [1, 0],
    Pa: [0.01, 0],
    kPa: [10, 0],
    inHg: [33.863_886_67, 0],
    mmHg: [1.333_223_87, 0],
    psi: [68.947_572_93, 0],
  },
  metresPerSecond: {
    'km/h': [1 / 3.6, 0],
    'm/s': [1, 0],
    mph: [0.447_04, 0],
    'mi/h': [0.447_04, 0],
    kn: [0.514_444_44, 0],
    'ft/s': [0.3048, 0],
  },
} as const satisfies Record<string, Record<string, Scale>>;

/** A quantity that weather sources give in units of their own, named by the unit it is kept in. */
export type Quantity = keyof typeof scales;

/** A value in the unit it is kept in, to a hundredth; null without a value or in a unit that nobody knows. */
export function convert(quantity: Quantity, value: number | null, unit: string | null): number | null {
  const known: [string, Scale][] = Object.entries(scales[quantity]);
  const [, scale] = known.find(([name]) => name === (unit ?? name)) ?? [];
  if (value === null || !scale) return null;
  return Math.round((value * scale[0] + scale[1]) * 100) / 100;
}
