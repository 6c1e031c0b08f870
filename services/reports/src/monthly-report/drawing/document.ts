import { createHash } from 'node:crypto';
import PDFDocument from 'pdfkit';
import type { Report, SpeciesPictures } from '../report-contents.js';
import { fontFiles } from './font-files.js';

/** A name of the document's contents, so that its identifier changes with them. */
function digestOf(report: Report, pictures: SpeciesPictures): string {
  const hash = createHash('sha256').update(JSON.stringify(report));
  for (const [id, picture] of pictures) hash.update(`${id}`).update(picture);
  return hash.digest('hex').slice(0, 32);
}

/** An empty A4 document whose bytes depend on its contents alone, not on when and where it is made. */
export function openDocument(report: Report, pictures: SpeciesPictures): PDFKit.PDFDocument {
  const options = {
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    font: fontFiles.regular,
    info: {
      Title: `Bird report, ${report.title} – ${report.place || report.hub}`,
      Author: report.hub,
      Subject: `Visits of birds, ${report.span}`,
      Creator: 'Birdhub',
      CreationDate: new Date(report.upTo),
      ContentDigest: digestOf(report, pictures),
    },
  };
  // The published types do not know PDF/UA yet.
  return new PDFDocument(options as PDFKit.PDFDocumentOptions);
}
