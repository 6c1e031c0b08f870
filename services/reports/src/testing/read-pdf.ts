import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The content of a PDF. */
export interface ReadPdf {
  readonly pages: readonly string[];
  /** All text, line by line. */
  readonly text: string;
  readonly info: Record<string, unknown>;
  readonly outline: readonly string[];
  /** The roles of the structure tree, page by page. */
  readonly roles: readonly string[];
  readonly altTexts: readonly string[];
  readonly isTagged: boolean;
}

/** An element of the structure tree, or content in one. */
interface TreeNode {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly object[];
}

const listNodes = (node: TreeNode): TreeNode[] => [node, ...(node.children ?? []).flatMap(listNodes)];

async function readPage(document: PDFDocumentProxy, number: number) {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
  const tree: TreeNode = (await page.getStructTree()) ?? {};
  return { text, nodes: listNodes(tree) };
}

/** Parses a PDF and reads all of its content. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map((number) => readPage(document, number)));
  const { info } = await document.getMetadata();
  const outline = (await document.getOutline()) ?? [];
  const nodes = pages.flatMap((page) => page.nodes);
  const read = {
    pages: pages.map((page) => page.text),
    text: pages.map((page) => page.text).join('\n'),
    info: info as Record<string, unknown>,
    outline: outline.map(({ title }) => title),
    roles: nodes.flatMap(({ role }) => role ?? []),
    altTexts: nodes.flatMap(({ alt }) => alt ?? []),
    isTagged: (await document.getMarkInfo())?.Marked === true,
  };
  await document.destroy();
  return read;
}
