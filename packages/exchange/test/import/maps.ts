import eaupotable from '../../maps/eaupotable.json' with { type: 'json' }
import frankfurtCity from '../../maps/frankfurt-city.json' with { type: 'json' }
import frankfurtOpenstreetmap from '../../maps/frankfurt-openstreetmap.json' with { type: 'json' }
import malawi2022 from '../../maps/malawi-2022.json' with { type: 'json' }
import malawi2023 from '../../maps/malawi-2023.json' with { type: 'json' }
import munichOpenstreetmap from '../../maps/munich-openstreetmap.json' with { type: 'json' }
import openstreetmap from '../../maps/openstreetmap.json' with { type: 'json' }
import palermo from '../../maps/palermo.json' with { type: 'json' }
import paris from '../../maps/paris.json' with { type: 'json' }
import paris2019 from '../../maps/paris-2019.json' with { type: 'json' }
import parisHeaderless from '../../maps/paris-headerless.json' with { type: 'json' }
import ruralWaterPoints from '../../maps/rural-water-points.json' with { type: 'json' }
import vancouver from '../../maps/vancouver.json' with { type: 'json' }
import vienna from '../../maps/vienna.json' with { type: 'json' }
import zurich from '../../maps/zurich.json' with { type: 'json' }

/** The ready maps that the package keeps as data. */
export default {
  eaupotable: eaupotable,
  'frankfurt-city': frankfurtCity,
  'frankfurt-openstreetmap': frankfurtOpenstreetmap,
  'malawi-2022': malawi2022,
  'malawi-2023': malawi2023,
  'munich-openstreetmap': munichOpenstreetmap,
  openstreetmap: openstreetmap,
  palermo: palermo,
  paris: paris,
  'paris-2019': paris2019,
  'paris-headerless': parisHeaderless,
  'rural-water-points': ruralWaterPoints,
  vancouver: vancouver,
  vienna: vienna,
  zurich: zurich,
}
