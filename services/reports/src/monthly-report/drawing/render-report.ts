import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fillText } from '@birdhub/domain/language';
import PDFDocument from 'pdfkit';
import { ReportFormat } from '../format.js';
import type { Report, SpeciesPictures } from '../report.js';
import { fontFiles } from './fonts.js';
import { Sheet } from './sheet.js';
import { writeSightings, writeTopSpecies } from './species-tables.js';
import { writeNewSpecies, writeSummary } from './summary.js';
import { writeTemperatureChart } from './temperature-chart.js';
import { colours, frame, styles } from './theme.js';
import { writeDayChart, writeHeatMap, writeSpeciesBars } from './visit-charts.js';

/** Renders a report as PDF; deterministic. */
export async function renderReport(report: Report, pictures: SpeciesPictures): Promise<Buffer> {
  const format = new ReportFormat(report.language);
  const doc = openDocument(report, pictures, format);
  const bytes = buffer(doc);
  const sheet = new Sheet(doc, format);
  writeCover(sheet, report);
  if (report.species.length) writeSections(sheet, report, pictures);
  else writeEmptyPeriod(sheet, report);
  writeFooters(sheet, report);
  doc.end();
  return bytes;
}

function writeSections(sheet: Sheet, report: Report, pictures: SpeciesPictures): void {
  writeSummary(sheet, report);
  writeTopSpecies(sheet, report, pictures);
  writeDayChart(sheet, report);
  writeTemperatureChart(sheet, report);
  writeHeatMap(sheet, report);
  writeSpeciesBars(sheet, report);
  writeNewSpecies(sheet, report);
  writeSightings(sheet, report);
}

/** Opens an empty A4 document, whose bytes only depend on its content. */
function openDocument(
  report: Report,
  pictures: SpeciesPictures,
  { language, texts }: ReportFormat,
): PDFKit.PDFDocument {
  const options = {
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: language,
    displayTitle: true,
    bufferPages: true,
    font: fontFiles.regular,
    info: {
      Title: `${texts.report}, ${report.title} – ${report.place || report.hub}`,
      Author: report.hub,
      Subject: fillText(texts.subject, { span: report.span }),
      Creator: 'Birdhub',
      CreationDate: new Date(report.upTo),
      ContentDigest: digestOf(report, pictures),
    },
  };
  // The published types do not include PDF/UA.
  return new PDFDocument(options as PDFKit.PDFDocumentOptions);
}

/** Returns a digest of the contents as the identifier of the document. */
function digestOf(report: Report, pictures: SpeciesPictures): string {
  const hash = createHash('sha256').update(JSON.stringify(report));
  for (const [id, picture] of pictures) hash.update(`${id}`).update(picture);
  return hash.digest('hex').slice(0, 32);
}

const titleHeight = 38;
const leadHeight = 16;

/** Writes place, title and period. */
function writeCover(sheet: Sheet, report: Report): void {
  const { doc, format } = sheet;
  sheet.element('P', () => {
    const place = sheet.shorten(report.place || report.hub, frame.width, styles.place);
    sheet.set(place, frame.left, sheet.y + 8, styles.place);
  });
  sheet.y += 12;
  sheet.element('H1', () => {
    for (const line of sheet.wrap(report.title, frame.width, styles.title, 2)) {
      sheet.y += titleHeight;
      sheet.set(line, frame.left, sheet.y - 6, styles.title);
    }
  });
  const lines = sheet.wrap(leadOf(report, format), frame.width, styles.lead, 3);
  sheet.element('P', () => {
    for (const line of lines) {
      sheet.y += leadHeight;
      sheet.set(line, frame.left, sheet.y, styles.lead);
    }
  });
  if (report.unfinished !== undefined) {
    const text = fillText(format.texts.unfinished, { moment: report.unfinished });
    const style = { ...styles.lead, colour: colours.signal };
    sheet.y += leadHeight;
    sheet.element('P', () => sheet.set(text, frame.left, sheet.y, style));
  }
  sheet.y += 14;
  sheet.artifact(() => doc.rect(frame.left, sheet.y, frame.width, 1.5).fill(colours.accent));
  sheet.y += 1.5;
}

function leadOf({ title, span, hub, place, zone }: Report, { texts }: ReportFormat): string {
  const times = fillText(texts.timesOf, { zone });
  const parts = [texts.report, span !== title && span, place !== '' && hub, times];
  return parts.filter((part) => part !== false).join('  ·  ');
}

function writeEmptyPeriod(sheet: Sheet, { totals, span }: Report): void {
  const { format } = sheet;
  const { texts } = format;
  const { genericVisits, recordings } = totals;
  sheet.y += 40;
  sheet.element('P', () => sheet.set(texts.noVisits, frame.left, sheet.y, styles.section));
  sheet.y += 8;
  const generic = genericVisits ? format.plural(texts.ofThemGeneric, genericVisits) : '';
  sheet.note(
    recordings
      ? format.plural(texts.recordingsOf, recordings, { span, generic })
      : fillText(texts.noRecordings, { span, generic }),
  );
}

/** Writes the footers, which contain the number of pages. */
function writeFooters(sheet: Sheet, { title, hub, place }: Report): void {
  const { doc } = sheet;
  const { count } = doc.bufferedPageRange();
  const text = sheet.shorten(`${title}  ·  ${place || hub}`, frame.width - 60, styles.note);
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    sheet.set(text, frame.left, frame.foot, styles.note);
    sheet.set(`${page + 1} / ${count}`, frame.right, frame.foot, styles.note, 'right');
    doc.endMarkedContent();
  }
}
