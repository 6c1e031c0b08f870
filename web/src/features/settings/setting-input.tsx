import type { ReactNode } from 'react';
import { CamerasInput } from './cameras-input';
import { MappingInput } from './mapping-input';
import { ChoiceField, NumberField, SpeciesField, SwitchField, TextField, ZoneField } from './plain-inputs';
import { SecretInput } from './secret-input';
import type { FieldKind, SettingField } from './setting-field';

/** What every way to enter a setting is given. */
export interface InputProps {
  readonly field: SettingField;
  /** What the hub has, as far as it tells. */
  readonly stored: unknown;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly shown: {
    readonly label: string;
    readonly description: string;
    readonly error: string | undefined;
  };
}

const inputs: Readonly<Record<FieldKind, (props: InputProps) => ReactNode>> = {
  text: TextField,
  clock: TextField,
  secret: SecretInput,
  number: NumberField,
  switch: SwitchField,
  choice: ChoiceField,
  zone: ZoneField,
  species: SpeciesField,
  mapping: MappingInput,
  cameras: CamerasInput,
};

/** Where a setting is entered, in the way that fits its kind. */
export function SettingInput(props: InputProps) {
  const Input = inputs[props.field.kind];
  return <Input {...props} />;
}
