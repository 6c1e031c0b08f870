/** Three cities instead of those of GeoNames, which take seconds to read. */
export const cities = [
  'DE Europe/Berlin\nMunich\t\t\t4814\t1158\t61\tde=München\nFriedberg\t\tMunich\t4836\t1098\t45',
  'US America/Chicago\nAustin\tTX\t\t3027\t-9774\t60',
].join('\n\n');
