/** Colours by which boxes and tracks of one recording are told apart; those of the theme. */
const names = ['lime', 'cyan', 'orange', 'grape', 'yellow', 'pink', 'teal', 'indigo'] as const;

/** The colour of a recording's detection by its place in the list. */
export function trackColor(place: number): string {
  return `var(--mantine-color-${names[place % names.length] ?? names[0]}-5)`;
}
