import type { Table } from '../../bench/report/table.js';
import type { Check } from '../verdict/check.js';

/** Returns the checks and whether they passed. */
export function checkTable(checks: readonly Check[]): Table {
  const lines = checks.map(({ what, measured, bound, isKept }) => [
    what,
    measured,
    bound,
    isKept ? '✓' : '✗',
  ]);
  return [['what', 'measured', 'bound', ''], ...lines];
}
