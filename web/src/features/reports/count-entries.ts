/** How the header of each file of a ZIP begins, as a 32 bit number of four bytes in a row. */
const signature = 0x504b0304;

/** Counts the files of a ZIP as it passes by, however it is cut into pieces. */
export function createEntryCounter(): (piece: Uint8Array) => number {
  let entries = 0;
  let lastFour = 0;
  return (piece) => {
    for (const byte of piece) {
      lastFour = (lastFour << 8) | byte;
      if (lastFour === signature) entries += 1;
    }
    return entries;
  };
}
