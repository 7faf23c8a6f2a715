import { textFormat } from '../format.ts'

/** The bounding boxes that operators drew, as polygons. */
export const areas = textFormat({
  name: 'areas',
  file: 'areas.geojson',
  mediaType: 'application/geo+json',
  title: 'Areas as GeoJSON',
  subject: 'registry',
  holds: 'The areas of the registry as polygons with name, description and colour.',
  loses: 'Nothing.',
  *text({ snapshot }, tally) {
    yield '{"type":"FeatureCollection","features":['
    let separator = '\n'
    for (const area of snapshot.areas()) {
      tally.rows += 1
      const feature = {
        type: 'Feature',
        id: area.id,
        geometry: { type: 'Polygon', coordinates: area.coordinates },
        properties: {
          id: area.id,
          name: area.name,
          description: area.description,
          color: area.color,
          active: area.active,
          created_at: area.createdAt,
          updated_at: area.updatedAt,
          properties: area.properties,
        },
      }
      yield separator + JSON.stringify(feature)
      separator = ',\n'
    }
    yield '\n]}\n'
  },
})
