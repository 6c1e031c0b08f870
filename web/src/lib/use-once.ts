import { useState } from 'react';

/** Returns true once `condition` has been true. */
export function useOnce(condition: boolean): boolean {
  const [hasBeenTrue, setHasBeenTrue] = useState(condition);
  if (condition && !hasBeenTrue) setHasBeenTrue(true);
  return hasBeenTrue;
}
