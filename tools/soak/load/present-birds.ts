const gapMs = 60_000;
const maxStayMs = 80_000;

/** Returns the length of a bird's stay, the period of its stays and their offset, in ms. */
function habitOf(index: number): { stay: number; period: number; offset: number } {
  const stay = 20_000 + ((index * 17) % 61) * 1_000;
  // Its absence is longer than the gap and the longest recording, so that its visits are not joined.
  const period = maxStayMs + 2 * gapMs + ((index * 29) % 181) * 1_000;
  return { stay, period, offset: ((index * 41) % 383) * 1_000 };
}

/** Returns the birds that are present at an instant; the first one if there is none. */
export function presentBirds(count: number, at: number): number[] {
  const isPresent = (index: number) => {
    const { stay, period, offset } = habitOf(index);
    return (at + offset) % period < stay;
  };
  const present = Array.from({ length: count }, (_, index) => index).filter(isPresent);
  return present.length ? present : [0];
}
