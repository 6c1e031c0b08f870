import type { TimelineItem } from '../../components/visits/describe-visit';
import type { CardRow, Row } from './lay-out-rows';

/** Where the next card is looked for: by order, or in the line above or below. */
export type Move = 'next' | 'previous' | 'up' | 'down';

/** A card by the number of its line. */
export interface CardPlace {
  readonly row: number;
  readonly item: TimelineItem;
}

const cardsOf = (row: Row | undefined): CardRow['items'] => (row?.kind === 'cards' ? row.items : []);

function nextLine(rows: readonly Row[], from: number, step: 1 | -1): number | undefined {
  let line = from + step;
  while (rows[line]?.kind === 'heading') line += step;
  return rows[line] && line;
}

/**
 * The card that a move leads to from that of an item; undefined at the ends of the list. Without an item it is the
 * first card at or below the line `top`.
 */
export function moveCard(
  rows: readonly Row[],
  id: number | undefined,
  move: Move,
  top = 0,
): CardPlace | undefined {
  const at = (row: number | undefined, column: number): CardPlace | undefined => {
    const item = row === undefined ? undefined : cardsOf(rows[row]).at(column);
    return row === undefined || item === undefined ? undefined : { row, item };
  };
  const row = rows.findIndex((line) => cardsOf(line).some((item) => item.id === id));
  if (row === -1) return at(nextLine(rows, top - 1, 1), 0);
  const cards = cardsOf(rows[row]);
  const column = cards.findIndex((item) => item.id === id);
  const step = move === 'next' || move === 'down' ? 1 : -1;
  const isSideways = move === 'next' || move === 'previous';
  if (isSideways && cards[column + step] !== undefined) return at(row, column + step);
  const line = nextLine(rows, row, step);
  if (isSideways) return at(line, step === 1 ? 0 : -1);
  const width = line === undefined ? 0 : cardsOf(rows[line]).length;
  return at(line, Math.min(column, width - 1));
}
