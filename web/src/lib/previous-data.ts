import { keepPreviousData } from '@tanstack/react-query';

/** Options of a query: shows the previous data, marked as outdated, until the new data arrives. */
export const keepUntilLoaded = { placeholderData: keepPreviousData } as const;

/** Properties of a box that shows previous data: dimmed, and announced as busy. */
export const dimmedWhile = (isPlaceholderData: boolean) => ({
  opacity: isPlaceholderData ? 0.5 : undefined,
  'aria-busy': isPlaceholderData,
});
