-- Files that the hub received by upload, until a recording names them. Size and time tell whether a file is still that one.
CREATE TABLE uploaded_file (
  path        text PRIMARY KEY,
  bytes       bigint NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  uploaded_at timestamptz(3) NOT NULL DEFAULT now()
);
