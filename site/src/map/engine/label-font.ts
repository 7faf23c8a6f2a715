/** Labels are drawn with the visitor's own fonts: no style of this site has a glyph server. */
export const labelFont = [
  'ui-sans-serif',
  'system-ui',
  'Segoe UI',
  'Roboto',
  'Noto Sans',
  'DejaVu Sans',
  'sans-serif',
]
