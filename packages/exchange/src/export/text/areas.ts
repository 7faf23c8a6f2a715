import { areaFields, namesOf } from '@openfountain/core/fields'
import { creditText } from '../credit.ts'
import { columnOf } from '../fields.ts'
import { counted, lineBefore, textFormat } from '../format.ts'
import { collectionSchema } from '../json-schema.ts'

const { coordinates: _geometry, properties: own, ...columns } = areaFields

const fields = [...namesOf(columns).map((name) => columnOf(columns[name])), columnOf(own)]

/** The bounding boxes that operators drew, as polygons. */
export const areas = textFormat({
  name: 'areas',
  file: 'areas.geojson',
  mediaType: 'application/geo+json',
  title: 'Areas as GeoJSON',
  subject: 'registry',
  holds: 'The areas of the registry as polygons with name, description and colour.',
  loses: 'Nothing.',
  fields,
  jsonSchema: collectionSchema('Polygon', fields),
  *text(edition, tally) {
    yield `{"type":"FeatureCollection"${creditText(edition, 'registry')},"features":[`
    for (const area of counted(edition.snapshot.areas(), tally)) {
      const feature = {
        type: 'Feature',
        id: area.id,
        geometry: { type: 'Polygon', coordinates: area.coordinates },
        properties: {
          ...Object.fromEntries(namesOf(columns).map((name) => [columns[name].column, area[name]])),
          properties: area.properties,
        },
      }
      yield lineBefore(tally) + JSON.stringify(feature)
    }
    yield '\n]}\n'
  },
})
