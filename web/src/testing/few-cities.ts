/** Two cities instead of those of GeoNames, which take seconds to read. */
export const cities = [
  'DE Europe/Berlin\nMunich\t\t4814\t1158\t61',
  'US America/Chicago\nAustin\tTX\t3027\t-9774\t60',
].join('\n\n');
