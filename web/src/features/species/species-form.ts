import { Problem } from '../../api/problem';
import type { components } from '../../api/schema';
import type { Species, SpeciesSummary } from './species-queries';

export type SpeciesPatch = components['schemas']['SpeciesPatch'];

/** Values of the form. */
export interface SpeciesForm {
  readonly name: string;
  readonly scientific_name: string;
  /** The hub does not return the current one; empty keeps it. */
  readonly ebird_code: string;
  readonly parent_id: number | null;
  readonly active: boolean;
  readonly image_url: string;
  readonly description: string;
}

/** Returns initial values; descriptions and images that the hub found itself are left empty. */
export function formOf(species: Species, summary: SpeciesSummary['species']): SpeciesForm {
  const image = species.image_url ?? '';
  return {
    name: species.name,
    scientific_name: species.scientific_name ?? '',
    ebird_code: '',
    parent_id: species.parent_id,
    active: species.active,
    image_url: image.includes('api/ui/detections/') ? '' : image,
    description: summary.description_source === null ? (species.description ?? '') : '',
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Returns the changed fields as the body of a PATCH. */
export function patchOf(before: SpeciesForm, after: SpeciesForm): SpeciesPatch {
  const texts = {
    name: after.name.trim(),
    scientific_name: orNull(after.scientific_name.trim()),
    ebird_code: orNull(after.ebird_code.trim().toLowerCase()),
    parent_id: after.parent_id,
    active: after.active,
    image_url: orNull(after.image_url.trim()),
    description: orNull(after.description.trim()),
  } satisfies SpeciesPatch;
  const changed = Object.entries(texts).filter(([field]) => {
    const name = field as keyof SpeciesForm;
    return before[name] !== after[name];
  });
  return Object.fromEntries(changed);
}

/** Returns messages of a validation error by field. */
export function fieldErrors(error: Error | null): Partial<Record<keyof SpeciesForm, string>> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(error.details.map(({ path, message }) => [path.replace('/', ''), message]));
}
