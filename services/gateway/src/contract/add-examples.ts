/** An example of the request and responses of an operation. */
export interface OperationExample {
  readonly body?: unknown;
  /** The JSON of all declared responses, unless `responses` overrides it. */
  readonly response?: unknown;
  /** Responses by status, if they differ. */
  readonly responses?: Readonly<Record<string, unknown>>;
  /** Example of text responses. */
  readonly text?: string;
}

/** The examples of the document. */
export interface ContractExamples {
  /** Values of parameters by name, for all operations. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** By operation id. */
  readonly operations: Readonly<Record<string, OperationExample>>;
}

type Content = Record<string, { schema?: unknown; example?: unknown }>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: { readonly name: string; example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

function setExample(content: Content | undefined, mediaType: RegExp, example: unknown): void {
  if (example === undefined) return;
  for (const [type, media] of Object.entries(content ?? {}))
    if (mediaType.test(type)) media.example = example;
}

/** Adds examples to the operations of a document. @throws for an example of an unknown operation */
export function addExamples(
  paths: Readonly<Record<string, object>>,
  { parameters, operations }: ContractExamples,
): void {
  const found = Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);
  const known = new Set(found.map(({ operationId }) => operationId));
  const unknown = Object.keys(operations).find((id) => !known.has(id));
  if (unknown !== undefined) throw new Error(`Example of an unknown operation: ${unknown}`);
  for (const operation of found) {
    const { body, response, responses = {}, text } = operations[operation.operationId] ?? {};
    for (const parameter of operation.parameters ?? []) {
      const { [parameter.name]: example } = parameters;
      if (example !== undefined) parameter.example = example;
    }
    setExample(operation.requestBody?.content, /json$/, body);
    for (const [status, { content }] of Object.entries(operation.responses)) {
      setExample(content, /json$/, responses[status] ?? response);
      setExample(content, /^text\//, text);
    }
  }
}
