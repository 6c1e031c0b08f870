import { Type } from 'typebox';

const digest = (of: string) =>
  Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: `Digest of ${of}, as RFC 9530 writes it: \`sha-256=:BASE64:\`, or sha-512`,
    }),
  );

/** The headers of an upload. */
export const UploadHeadersSchema = Type.Object({
  'content-range': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Which bytes of the file the body has, as in `bytes 0-999999/5000000`; it must begin where the stored bytes end. Without it the body is the whole file. `bytes */5000000` without a body asks how far the upload is',
    }),
  ),
  'content-digest': digest('the body'),
  'repr-digest': digest('the whole file, checked when it is complete'),
});

/** The response to an upload. */
export const UploadResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    path: Type.String({
      description: 'Path of the file as the hub stores it, to be posted as `video_path`',
    }),
    created: Type.Boolean({ description: 'Whether the file is there now and was not before' }),
    received: Type.Integer({ description: 'Bytes that are stored' }),
    total: Type.Integer({
      description: 'Bytes of the whole file; all are there when `received` is the same',
    }),
  },
  { $id: 'UploadAnswer' },
);
