import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { demoQuery, type ShownDemo } from './demo-queries';

/** The demo while there is one; its removal is shown to the end, so that pages are read again. */
export function useDemo(): ShownDemo | undefined {
  const { data } = useQuery(demoQuery);
  const wasThere = useRef(false);
  if (data !== undefined && data.state !== 'none') wasThere.current = true;
  return wasThere.current ? data : undefined;
}
