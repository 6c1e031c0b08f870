import { createTheme, type MantineColorsTuple } from '@mantine/core';

const moss: MantineColorsTuple = [
  '#f0f6ef',
  '#dfebdd',
  '#bed7ba',
  '#9ac195',
  '#7bae75',
  '#66a160',
  '#4c8a47',
  '#3a7237',
  '#2f5f2d',
  '#234a22',
];

/** The greys of the dark scheme, with the tint of its background. */
const dark: MantineColorsTuple = [
  '#c9d1ca',
  '#b5bfb6',
  '#828f84',
  '#69756b',
  '#414c43',
  '#364038',
  '#2a332c',
  '#1e2520',
  '#181d19',
  '#101411',
];

const plainHeader = { attributes: { header: { role: 'presentation' } } };

/** Quiet greens of a garden; text on the primary colour keeps a contrast of 4.5 or more in both schemes. */
export const theme = createTheme({
  primaryColor: 'moss',
  primaryShade: { light: 7, dark: 7 },
  colors: { moss, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    // Within a sentence, colour alone does not identify a link.
    Anchor: { defaultProps: { underline: 'always' } },
    // The <header> of a dialog would count as a second banner landmark.
    Modal: { defaultProps: plainHeader },
    Drawer: { defaultProps: plainHeader },
  },
});
