import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readComposition } from './composition.js';
import { listBelow, readText } from './repository-files.js';

const require = createRequire(import.meta.url);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
/** A class of `kubernetes-models` that validates by the schema of the Kubernetes API. */
type Model = new (manifest: Manifest) => { validate(): void };

/** The file that kustomize reads, and the one that it adds to every deployment. */
const parts = /(kustomization|every-service)\.yaml$/;
const ofKubernetes = listBelow('deploy/kubernetes')
  .filter((file) => !parts.test(file))
  .flatMap((file) => parseAllDocuments(readText(file)).map((document) => document.toJS() as Manifest))
  .map((manifest) => ({ name: `${manifest.kind} ${manifest.metadata.name}`, manifest }));

function validate(manifest: Manifest): void {
  const models: Record<string, Model> = require(`kubernetes-models/${manifest.apiVersion}`);
  const Kind = models[manifest.kind];
  if (!Kind) throw new Error(`${manifest.apiVersion} has no ${manifest.kind}`);
  new Kind(manifest).validate();
}

describe('files of deploy, by the schemas of their readers', () => {
  // Docker's own schema of compositions, which comes with the linter.
  const schema = require(
    require.resolve('dclint/package.json').replace('package.json', 'schemas/compose.schema.json'),
  );
  const isComposition = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
  }).compile(schema);

  test.each(['compose.yaml', 'compose.tls.yaml'])('%s, is a valid composition', (file) => {
    isComposition(readComposition(file));
    expect(isComposition.errors).toBeNull();
  });

  test('a composition with an unknown key, is invalid', () => {
    expect(isComposition({ services: { gateway: { image: 'birdhub/gateway', restarts: 'always' } } })).toBe(
      false,
    );
  });

  test.each(ofKubernetes)('$name, is valid for Kubernetes', ({ manifest }) => {
    expect(() => validate(manifest)).not.toThrow();
  });

  test('a manifest with a wrong value, is refused', () => {
    const [service] = ofKubernetes.filter(({ manifest }) => manifest.kind === 'Service');
    const wrong = { ...service?.manifest, spec: { ports: [{ port: 'eighty' }] } } as unknown as Manifest;
    expect(() => validate(wrong)).toThrow('port');
  });
});
