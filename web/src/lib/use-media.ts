import { useMediaQuery } from '@mantine/hooks';

/** Whether a media query matches, from the first render on. */
export const useMedia = (query: string) => useMediaQuery(query, false, { getInitialValueInEffect: false });

/** Whether the window is narrower than 48em, as in the style sheets. */
export const useIsPhone = () => useMedia('(max-width: 47.99em)');
