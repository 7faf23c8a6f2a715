import type { StyleSpecification } from 'maplibre-gl'
import { landMaxZoom } from '../data/land.ts'
import type { MapColours } from './colours.ts'

/** The bundled base map as a MapLibre style: water, land, borders. */
export function baseStyle(colours: MapColours): StyleSpecification {
  return {
    version: 8,
    sources: {
      base: { type: 'vector', tiles: ['base://{z}/{x}/{y}'], minzoom: 0, maxzoom: landMaxZoom },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      {
        id: 'land',
        type: 'fill',
        source: 'base',
        'source-layer': 'land',
        paint: { 'fill-color': colours.land, 'fill-antialias': false },
      },
      {
        id: 'coast',
        type: 'line',
        source: 'base',
        'source-layer': 'land',
        paint: {
          'line-color': colours.coast,
          'line-width': ['interpolate', ['linear'], ['zoom'], 0, 0.6, 8, 1.2],
        },
      },
      {
        id: 'border',
        type: 'line',
        source: 'base',
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
