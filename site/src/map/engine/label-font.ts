import type { LayerSpecification, SymbolLayerSpecification } from 'maplibre-gl'
import type { MapColours } from './colours.ts'

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

export type NameLayer = Omit<SymbolLayerSpecification, 'type'>

export const nameLayer = (
  { label, halo }: MapColours,
  { layout, paint, ...layer }: NameLayer,
): LayerSpecification => ({
  ...layer,
  type: 'symbol',
  layout: { 'text-font': labelFont, 'text-max-width': 8, ...layout },
  paint: { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.5, ...paint },
})
