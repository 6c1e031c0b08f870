import { useState } from 'react';

/** Returns true once `condition` has been true. */
export function useOnce(condition: boolean): boolean {
  const [wasSo, setWasSo] = useState(condition);
  if (condition && !wasSo) setWasSo(true);
  return wasSo;
}
