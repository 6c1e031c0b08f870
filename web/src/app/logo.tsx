/** The hub's mark: a bird on the rim of a feeder. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" rx="14" fill="#3a7237" />
      <path
        d="M14 36c0-10 8-17 18-17 3-5 9-7 14-4l6 3-6 2c1 13-7 23-19 23H12l8-6c-4 0-6 0-6-1z"
        fill="#f6f7f2"
      />
      <circle cx="43" cy="20" r="2" fill="#234a22" />
      <path
        d="M25 43l-2 8M32 43v8M10 51h44"
        stroke="#dfebdd"
        strokeWidth="3"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  );
}
