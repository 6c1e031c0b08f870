const gapMs = 60_000;
const longestStayMs = 80_000;

/** How long the bird of an index stays, after how long it comes again, and when it first does; in ms. */
function habitOf(index: number): { stay: number; period: number; offset: number } {
  const stay = 20_000 + ((index * 17) % 61) * 1_000;
  // Its silence is longer than the gap and the longest recording, or its visits would be one.
  const period = longestStayMs + 2 * gapMs + ((index * 29) % 181) * 1_000;
  return { stay, period, offset: ((index * 41) % 383) * 1_000 };
}

/** Which of so many birds are there at an instant: each comes for a while and goes for longer; the first never fails. */
export function presentBirds(count: number, at: number): number[] {
  const isPresent = (index: number) => {
    const { stay, period, offset } = habitOf(index);
    return (at + offset) % period < stay;
  };
  const present = Array.from({ length: count }, (_, index) => index).filter(isPresent);
  return present.length ? present : [0];
}
