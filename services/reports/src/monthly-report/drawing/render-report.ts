import { buffer } from 'node:stream/consumers';
import type { Report, SpeciesPictures } from '../report-contents.js';
import { writeCover } from './cover.js';
import { writeDayChart } from './day-chart.js';
import { openDocument } from './document.js';
import { writeEmptyPeriod } from './empty-period.js';
import { writeFeet } from './foot.js';
import { writeHeatMap } from './heat-map.js';
import { writeNewSpecies } from './new-species.js';
import { createSheet, type Sheet } from './sheet.js';
import { writeSightings } from './sightings.js';
import { writeSpeciesBars } from './species-bars.js';
import { writeSummary } from './summary.js';
import { writeTemperatureChart } from './temperature-chart.js';
import { writeTopSpecies } from './top-species.js';
import { createTypesetter } from './typesetter.js';

function writeContents(sheet: Sheet, report: Report, pictures: SpeciesPictures): void {
  writeSummary(sheet, report);
  writeTopSpecies(sheet, report, pictures);
  writeDayChart(sheet, report);
  writeTemperatureChart(sheet, report);
  writeHeatMap(sheet, report);
  writeSpeciesBars(sheet, report);
  writeNewSpecies(sheet, report);
  writeSightings(sheet, report);
}

/** A report as PDF; the same report always has the same bytes. */
export async function renderReport(report: Report, pictures: SpeciesPictures): Promise<Buffer> {
  const doc = openDocument(report, pictures);
  const bytes = buffer(doc);
  const sheet = createSheet(doc, createTypesetter(doc));
  writeCover(sheet, report);
  if (report.species.length) writeContents(sheet, report, pictures);
  else writeEmptyPeriod(sheet, report);
  writeFeet(sheet, report);
  doc.end();
  return bytes;
}
