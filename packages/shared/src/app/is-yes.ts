const affirmations: readonly unknown[] = ['1', 'true', 'yes'];

/** Whether a query parameter says yes. */
export function isYes(parameter: string | undefined): boolean {
  return affirmations.includes(parameter?.toLowerCase());
}
