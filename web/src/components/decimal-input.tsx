import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTimeFormat } from '../lib/format';

interface DecimalInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** Empty without a number. */
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

const amountOf = (typed: number | string) => (typed === '' || typed === '-' ? '' : Number(typed));

/** A field for a number, with the decimal separator of the language; takes `.` and `,`. */
export function DecimalInput({ value, onChange, ...props }: DecimalInputProps) {
  const { language } = useTimeFormat();
  const separator = useMemo(() => decimalSeparatorOf(language), [language]);
  const [typed, setTyped] = useState<number | string>('');
  return (
    <NumberInput
      decimalSeparator={separator}
      allowedDecimalSeparators={[',', '.']}
      {...props}
      // Mantine reports a text for numbers that are not complete, such as `0.` or `0.50`.
      value={typeof typed === 'string' && amountOf(typed) === value ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(amountOf(next));
      }}
    />
  );
}

function decimalSeparatorOf(language: string): string {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
