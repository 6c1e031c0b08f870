import { keepPreviousData } from '@tanstack/react-query';

/** Options of a query: shows the previous answer, marked as outdated, until the new one arrives. */
export const keepUntilLoaded = { placeholderData: keepPreviousData } as const;

/** Properties of a box whose answer is the previous one: dimmed, and announced as busy. */
export const dimmedWhile = (isPlaceholderData: boolean) => ({
  opacity: isPlaceholderData ? 0.5 : undefined,
  'aria-busy': isPlaceholderData,
});
