import type { StyleSpecification } from 'maplibre-gl'
import { landMaxZoom } from '../data/land.ts'
import type { MapColours } from './colours.ts'

/** The source of the bundled base map. */
export const baseSource = 'base'

/** The bundled base map as a MapLibre style: sea, land, lakes, rivers, borders. */
export function baseStyle(colours: MapColours): StyleSpecification {
  return {
    version: 8,
    sources: {
      [baseSource]: { type: 'vector', tiles: ['base://{z}/{x}/{y}'], minzoom: 0, maxzoom: landMaxZoom },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      {
        id: 'land',
        type: 'fill',
        source: baseSource,
        'source-layer': 'land',
        paint: { 'fill-color': colours.land, 'fill-antialias': false },
      },
      {
        id: 'coast',
        type: 'line',
        source: baseSource,
        'source-layer': 'land',
        paint: {
          'line-color': colours.coast,
          'line-width': ['interpolate', ['linear'], ['zoom'], 0, 0.6, 8, 1.2],
        },
      },
      {
        id: 'lake',
        type: 'fill',
        source: baseSource,
        'source-layer': 'lake',
        paint: { 'fill-color': colours.water, 'fill-outline-color': colours.coast },
      },
      {
        id: 'river',
        type: 'line',
        source: baseSource,
        'source-layer': 'river',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: {
          'line-color': colours.coast,
          'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.5, 8, 1.4, 14, 4],
        },
      },
      {
        id: 'border',
        type: 'line',
        source: baseSource,
        'source-layer': 'border',
        paint: {
          'line-color': colours.border,
          'line-width': ['interpolate', ['linear'], ['zoom'], 0, 0.6, 8, 1.4],
          'line-opacity': 0.75,
        },
      },
    ],
  }
}
