import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { demoQuery, type ShownDemo } from './demo-queries';

/** Returns the demo while there is one, and the end of its removal, so that pages refetch their data. */
export function useDemo(): ShownDemo | undefined {
  const { data } = useQuery(demoQuery);
  const existed = useRef(false);
  if (data !== undefined && data.state !== 'none') existed.current = true;
  return existed.current ? data : undefined;
}

/** Returns whether the hub has only the place and the birds of the demo. */
export function useDemoOnly(): { readonly place: boolean; readonly birds: boolean } {
  const { data } = useQuery(demoQuery);
  const isShown = data !== undefined && data.state !== 'none';
  return { place: isShown && !data.has_own_place, birds: isShown && !data.has_own_birds };
}
