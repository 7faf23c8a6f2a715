/**
 * The island of the sample registry: six regions and fourteen towns that do not exist. It is where Sardinia is, so that
 * a base map has a coast to show; everything else is made up. Over 300 lines: it is data in six languages.
 */

export type Language = 'en' | 'de' | 'fr' | 'es' | 'el' | 'ja'

export interface Town {
  readonly name: string
  readonly region: string
  readonly language: Language
  readonly latitude: number
  readonly longitude: number
  /** Fountains in it. */
  readonly fountains: number
  /** How far they spread, in kilometres. */
  readonly spread: number
}

const region = (name: string): string => `${name} (fictional)`

export const regions = {
  brim: region('Brim Coast'),
  quell: region('Quellmark'),
  goutte: region('Valgoutte'),
  gota: region('Rivagota'),
  drosia: region('Drosia'),
  izumi: region('Izumi Hills'),
} as const

export const towns: readonly Town[] = [
  {
    name: 'Brimhaven',
    region: regions.brim,
    language: 'en',
    latitude: 40.905,
    longitude: 9.475,
    fountains: 58,
    spread: 1.6,
  },
  {
    name: 'Sipton-on-Sea',
    region: regions.brim,
    language: 'en',
    latitude: 40.63,
    longitude: 9.665,
    fountains: 22,
    spread: 0.8,
  },
  {
    name: 'Gurgle Bay',
    region: regions.brim,
    language: 'en',
    latitude: 41.1,
    longitude: 9.3,
    fountains: 14,
    spread: 0.7,
  },
  {
    name: 'Quellbrück',
    region: regions.quell,
    language: 'de',
    latitude: 40.72,
    longitude: 8.98,
    fountains: 34,
    spread: 1.3,
  },
  {
    name: 'Oberplätscher',
    region: regions.quell,
    language: 'de',
    latitude: 40.5,
    longitude: 9.2,
    fountains: 12,
    spread: 0.8,
  },
  {
    name: 'Tropfenau',
    region: regions.quell,
    language: 'de',
    latitude: 40.58,
    longitude: 8.62,
    fountains: 16,
    spread: 0.9,
  },
  {
    name: 'Goutteville',
    region: regions.goutte,
    language: 'fr',
    latitude: 40.1,
    longitude: 8.64,
    fountains: 28,
    spread: 1.2,
  },
  {
    name: 'Saint-Glouglou',
    region: regions.goutte,
    language: 'fr',
    latitude: 39.89,
    longitude: 8.76,
    fountains: 14,
    spread: 0.8,
  },
  {
    name: 'Sorbolina',
    region: regions.gota,
    language: 'es',
    latitude: 39.3,
    longitude: 9.1,
    fountains: 36,
    spread: 1.4,
  },
  {
    name: 'Chapoteo del Río',
    region: regions.gota,
    language: 'es',
    latitude: 39.46,
    longitude: 8.6,
    fountains: 12,
    spread: 0.8,
  },
  {
    name: 'Πηγαδούπολη',
    region: regions.drosia,
    language: 'el',
    latitude: 39.95,
    longitude: 9.55,
    fountains: 22,
    spread: 1.1,
  },
  {
    name: 'Δροσοχώρι',
    region: regions.drosia,
    language: 'el',
    latitude: 40.25,
    longitude: 9.46,
    fountains: 10,
    spread: 0.7,
  },
  {
    name: '泉ヶ崎',
    region: regions.izumi,
    language: 'ja',
    latitude: 39.22,
    longitude: 8.63,
    fountains: 14,
    spread: 0.9,
  },
  {
    name: '水音町',
    region: regions.izumi,
    language: 'ja',
    latitude: 39.58,
    longitude: 9.2,
    fountains: 10,
    spread: 0.8,
  },
]

export type Kind =
  | 'bubbler'
  | 'bottle-filler'
  | 'tap'
  | 'fountain'
  | 'wallace'
  | 'hand-pump'
  | 'spring'
  | 'well'

interface Words {
  /** Possible places of fountains. */
  readonly spots: readonly string[]
  /** Names of fountains, where `{}` is the spot, with the kinds that use them. */
  readonly names: readonly (readonly [pattern: string, ...kinds: [Kind, ...Kind[]]])[]
  /** Names out in the country. */
  readonly country: readonly (readonly [name: string, kind: Kind])[]
  readonly maintainer: string
}

export const words: Readonly<Record<Language, Words>> = {
  en: {
    spots: [
      'Market Square',
      'Harbour Steps',
      'Old Library',
      'Ferry Landing',
      'Bramble Park',
      'Tidewater Road',
      'Lantern Hill',
      'Ropewalk',
      'Gull Street',
      'Kelp Lane',
      'Station Green',
      'Cider Yard',
      'Puddle Row',
      'School Meadow',
      'Boathouse',
      'Pebble Beach',
    ],
    names: [
      ['{} fountain', 'fountain', 'wallace', 'bubbler'],
      ['{} tap', 'tap'],
      ['{} bubbler', 'bubbler'],
      ['Bottle filler, {}', 'bottle-filler'],
      ['{}', 'bubbler', 'tap', 'bottle-filler', 'hand-pump'],
    ],
    country: [
      ['Whistling Spring', 'spring'],
      ['Shepherd’s Cup', 'spring'],
      ['Nine Stones Well', 'well'],
      ['Heron Spring', 'spring'],
      ['Lost Boot Spring', 'spring'],
    ],
    maintainer: 'Water Board',
  },
  de: {
    spots: [
      'Rathausplatz',
      'Lindenhof',
      'Bahnhof',
      'Mühlgasse',
      'Schulwiese',
      'Alter Hafen',
      'Kirchplatz',
      'Uferweg',
      'Bärenplatz',
      'Seilergasse',
      'Obertor',
      'Ziegelhof',
    ],
    names: [
      ['Brunnen {}', 'fountain', 'bubbler'],
      ['Trinkbrunnen {}', 'bubbler'],
      ['Zapfstelle {}', 'tap'],
      ['Flaschenfüller {}', 'bottle-filler'],
      ['Schwengelpumpe {}', 'hand-pump'],
    ],
    country: [
      ['Kaltes Brünnlein', 'spring'],
      ['Jägerquelle', 'spring'],
      ['Dreikönigsquelle', 'spring'],
      ['Moosbrunnen', 'well'],
    ],
    maintainer: 'Stadtwerke',
  },
  fr: {
    spots: [
      'place du Marché',
      'quai des Sirènes',
      'jardin des Simples',
      'rue de l’Écluse',
      'école des Tilleuls',
      'gare',
      'place de l’Horloge',
      'parc du Héron',
      'allée des Vignes',
      'port aux Barques',
    ],
    names: [
      ['Fontaine, {}', 'fountain', 'bubbler'],
      ['Borne-fontaine, {}', 'bubbler', 'bottle-filler'],
      ['Robinet, {}', 'tap'],
      ['Fontaine Wallace, {}', 'wallace'],
    ],
    country: [
      ['Source du Berger', 'spring'],
      ['Source des Trois Fées', 'spring'],
      ['Puits aux Loups', 'well'],
    ],
    maintainer: 'Régie des eaux',
  },
  es: {
    spots: [
      'plaza Mayor',
      'paseo del Faro',
      'parque de los Olivos',
      'calle del Aljibe',
      'mercado viejo',
      'estación',
      'plaza del Reloj',
      'muelle chico',
      'jardín botánico',
      'cuesta del Molino',
    ],
    names: [
      ['Fuente, {}', 'fountain', 'wallace'],
      ['Grifo, {}', 'tap'],
      ['Bebedero, {}', 'bubbler'],
      ['Llenabotellas, {}', 'bottle-filler'],
    ],
    country: [
      ['Fuente del Zorro', 'spring'],
      ['Manantial de la Luna', 'spring'],
      ['Pozo Frío', 'well'],
    ],
    maintainer: 'Aguas municipales',
  },
  el: {
    spots: [
      'κεντρική πλατεία',
      'παλιό λιμάνι',
      'πάρκο της ελιάς',
      'οδός Φάρου',
      'σχολείο',
      'δημοτική αγορά',
      'πλατεία ρολογιού',
    ],
    names: [
      ['Βρύση, {}', 'tap', 'bubbler'],
      ['Κρήνη, {}', 'fountain'],
      ['Ψύκτης, {}', 'bottle-filler'],
    ],
    country: [
      ['Πηγή του βοσκού', 'spring'],
      ['Κρύα πηγή', 'spring'],
    ],
    maintainer: 'Ύδρευση',
  },
  ja: {
    spots: ['駅前広場', '港公園', '松並木', '図書館前', '朝市通り', '灯台の丘', '小学校前'],
    names: [
      ['{}の水飲み場', 'bubbler'],
      ['{}の泉', 'fountain'],
      ['{}の給水所', 'bottle-filler', 'tap'],
    ],
    country: [
      ['山の清水', 'spring'],
      ['狐の泉', 'spring'],
    ],
    maintainer: '水道局',
  },
}

/** The second half of descriptions, after the name of the spot; a note that all is made up follows each. */
export const details: readonly string[] = [
  'Two spouts at different heights.',
  'Runs all day, off in frost.',
  'Push the button twice.',
  'Good pressure, fits tall bottles.',
  'In the shade of a plane tree.',
  'Beside the bicycle stands.',
  'The bowl at the foot is for dogs.',
  'Cast iron, painted green.',
  'Carved stone, running water.',
  'Step-free from the pavement.',
  'Behind the ticket office, open while the park is.',
  'Cold in summer.',
]

export const comments: readonly (readonly [rating: number, comment: string | undefined])[] = [
  [5, 'Cold, clear and quick to fill a bottle.'],
  [5, 'Exactly where one is thirsty.'],
  [5, undefined],
  [4, 'Good water, a bit of a queue at noon.'],
  [4, undefined],
  [4, 'Works well. The button is stiff.'],
  [4, 'Frisches Wasser, auch abends beleuchtet.'],
  [4, 'Eau fraîche, bon débit.'],
  [3, 'Fine, but the drain is slow.'],
  [3, 'Tibia en agosto.'],
  [3, undefined],
  [5, 'Πολύ καλό νερό!'],
  [5, '冷たくておいしい水でした。'],
  [2, 'Low pressure today.'],
  [2, 'The bowl was full of leaves 🍂'],
  [1, 'Was turned off when I came.'],
]

export const people: readonly (readonly [id: string, name: string])[] = [
  ['ada', 'Ada Brimwater'],
  ['jorg', 'Jörg Plätscher'],
  ['eloise', 'Éloïse Goutte'],
  ['drosos', 'Δρόσος Πηγαδίτης'],
  ['minamo', '泉 みなも'],
  ['pip', 'Pip Gurgle'],
  ['rosa', 'Rosa Chapoteo'],
  ['otto', 'Otto Tropf'],
  ['wren', 'Wren Sipworth'],
  ['basil', 'Basil Bubbler'],
  ['ines', 'Inés del Charco'],
  ['lark', 'Lark Springer'],
  ['mo', 'Mo Puddle'],
  ['zora', 'Зора Кап'],
  ['nour', 'نور الينبوع'],
  ['tove', 'Tove Källström'],
  ['gus', 'Gus Trickle'],
  ['fern', 'Fern Wellspring'],
  ['ugo', 'Ugo Zampillo'],
  ['hazel', 'Hazel Dripping'],
  ['kit', 'Kit Beaker'],
  ['lupe', 'Lupe Aljibe'],
  ['rain', '🌧 Rain'],
  ['sil', 'Sil van Bron'],
  ['thea', 'Thea Tumbler'],
]
