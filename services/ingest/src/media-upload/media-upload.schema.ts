import { Type } from 'typebox';

const digest = (of: string) =>
  Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: `Digest of ${of} (RFC 9530): \`sha-256=:BASE64:\` or \`sha-512=:BASE64:\``,
    }),
  );

/** The headers of an upload. */
export const UploadHeadersSchema = Type.Object({
  'content-range': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Range of the file that the body contains, such as `bytes 0-999999/5000000`; it must start where ' +
        'the stored bytes end. Without this header the body is the whole file. `bytes */5000000` without a ' +
        'body returns the progress of the upload',
    }),
  ),
  'content-digest': digest('the body'),
  'repr-digest': digest('the whole file, verified when the upload is complete'),
});

/** The response to an upload. */
export const UploadResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    path: Type.String({
      description: 'Path of the stored file, to use as `video_path` of the recording',
    }),
    created: Type.Boolean({ description: 'Whether this request completed a new file' }),
    received: Type.Integer({ description: 'Number of stored bytes' }),
    total: Type.Integer({
      description: 'Size of the whole file in bytes; the upload is complete when `received` is equal',
    }),
  },
  { $id: 'UploadResult' },
);
