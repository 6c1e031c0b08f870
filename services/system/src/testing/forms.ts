import type { ReceivedRequest } from '@birdhub/testing/stub-server';

/** A part of a form, `multipart/form-data` (RFC 7578). */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

/** Parses a form by its delimiters (RFC 2046 §5.1.1); returns no parts for other bodies. */
export function readForm({ headers, body }: ReceivedRequest): FormPart[] {
  const contentType = headers['content-type'] ?? '';
  const [, boundary] = /^multipart\/form-data;\s*boundary="?([^";]+)"?/i.exec(contentType) ?? [];
  if (boundary === undefined) return [];
  const text = body.toString('latin1');
  const pieces = text.split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = Buffer.from(piece.slice(2, end), 'latin1').toString('utf8');
    const [, name = ''] = /[; ]name="([^"]*)"/.exec(head) ?? [];
    const [, filename] = /filename="([^"]*)"/.exec(head) ?? [];
    const [, type] = /content-type:\s*(\S+)/i.exec(head) ?? [];
    return { name, filename, type, content: Buffer.from(piece.slice(end + 4, -2), 'latin1') };
  });
}

/** Returns the text of a part of a form. */
export function textPart(request: ReceivedRequest, name: string): string | undefined {
  return readForm(request)
    .find((part) => part.name === name)
    ?.content.toString('utf8');
}

/** Decodes encoded words of headers (RFC 2047), only base64 in UTF-8; other text is unchanged. */
export function decodeWords(header: string): string {
  return header.replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_all, text: string) =>
    Buffer.from(text, 'base64').toString('utf8'),
  );
}
