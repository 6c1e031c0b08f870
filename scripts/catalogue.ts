import { catalogueText, checkCatalogue } from '@birdhub/domain/species';

const mistakes = checkCatalogue(catalogueText());
for (const { line, message } of mistakes)
  console.error(`packages/domain/src/species/catalogue.csv:${line}: ${message}`);
if (mistakes.length) process.exitCode = 1;
else console.log('The catalogue of species has no mistakes. npm run docs writes the names of the pages.');
