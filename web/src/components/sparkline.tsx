import classes from './sparkline.module.css';

interface SparklineProps {
  /** For example visits per hour of a day. */
  readonly counts: readonly number[];
  /** The count of the highest bar. */
  readonly peak: number;
}

/** Counts as small bars; hidden from screen readers, so text next to it must state the same. */
export function Sparkline({ counts, peak }: SparklineProps) {
  const bars = counts.map((count, index) =>
    count === 0 ? '' : `M${index + 0.1} 10v${-(1.5 + (count / peak) * 8.5)}h0.8V10z`,
  );
  const { length } = counts;
  return (
    <svg
      className={classes['sparkline']}
      viewBox={`0 0 ${length} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className={classes['base']} x={0} y={9.4} width={length} height={0.6} />
      <path d={bars.join('')} />
    </svg>
  );
}
