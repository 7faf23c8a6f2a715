/** What a real file is imported as. */
export interface Pin {
  readonly file: string
  /** The ready map that reads it; without one the headings suffice. */
  readonly map?: string
  /** Rows read, created, left out, duplicated and refused. */
  readonly counts: string
  /** How many have which state, day, hours and season. */
  readonly says?: string
  /** The countries that they are in, how many regions are named, and the largest. */
  readonly where: string
  /** References, places, names and amenities of some. */
  readonly fountains: readonly string[]
}

const tower = '510 47.36975 8.59926 Aussichtsturm [fountain]'
const of2018 = {
  map: 'zurich',
  counts: '12 12 0 0 0',
  where: 'CH 12; 1 regions, Zürich 12',
  fountains: [tower, '6069 47.36933 8.56439 Notwasserbrunnen 6069 []'],
}

/** The files in fixtures/zurich: excerpts of the city's own, and the same written by other programs. */
export const excerpts: readonly Pin[] = [
  { file: 'brunnen-2018.geojson', ...of2018 },
  { file: 'brunnen-2018.geojsonl', ...of2018 },
  { file: 'brunnen-2018.kml', ...of2018 },
  { file: 'brunnen-2018.gpkg', ...of2018 },
  { file: 'brunnen-2018.parquet', ...of2018 },
  {
    file: 'brunnen-2021.geojson',
    map: 'zurich',
    counts: '14 14 0 0 0',
    where: 'CH 14; 1 regions, Zürich 14',
    fountains: [
      '510 47.36975 8.59926 Öffentlicher Brunnen 510 [fountain]',
      '700.1 47.38005 8.50083 Brunnen in städtischer Liegenschaft 700.1 [fountain]',
    ],
  },
  {
    file: 'brunnen-with-wikidata-2018.csv',
    map: 'zurich',
    counts: '12 11 0 1 0',
    where: 'CH 11; 1 regions, Zürich 11',
    fountains: [tower, '827 47.37241 8.57318 Mitte Grand Hotel []'],
  },
  {
    file: 'brunnen-2018.gpx',
    counts: '12 12 0 0 0',
    where: 'CH 12; 0 regions',
    fountains: [
      '510 47.36975 8.59926 Aussichtsturm []',
      '349 47.36929 8.59081 Öffentlicher Brunnen at 47.3693, 8.5908 []',
    ],
  },
  {
    file: 'brunnen-2018-overpass.json',
    map: 'openstreetmap',
    counts: '12 12 0 0 0',
    where: 'CH 12; 0 regions',
    fountains: [
      'node/-1 47.36975 8.59926 Aussichtsturm []',
      'node/-2 47.36929 8.59081 Drinking fountain at 47.3693, 8.5908 []',
    ],
  },
]

/** Files of cities and mappers; whole ones of three cities are in packages/testing/data, all in ../shared/data. */
export const realFiles: readonly Pin[] = [
  {
    file: 'eaupotable-info_2026.gpx',
    map: 'eaupotable',
    counts: '886 886 0 0 0',
    where:
      'FR 486, BE 191, ES 57, CH 38, US 31, IT 14, AT 12, PT 11, DE 9, CA 8, GB 8, CZ 4, AU 3, NL 2, PL 2, SE 2, BA 1, CY 1, GR 1, HR 1, IE 1, NC 1, RO 1, SI 1; 0 regions',
    fountains: [
      'https://eaupotable.info/fr/1-source-de-ninane 50.35071 5.58341 Source de Ninane []',
      'https://eaupotable.info/fr/1084-drinkwaterpunt-vloethemveld 51.13550 3.14034 Drinkwaterpunt Vloethemveld []',
    ],
  },
  {
    file: 'frankfurt_mixed-licence_2026.geojson',
    map: 'frankfurt-city',
    counts: '73 21 52 0 0',
    where: 'DE 21; 1 regions, Frankfurt am Main 21',
    fountains: [
      'ffm-eb-1 50.11840 8.66279 Bacchusbrunnen/ Westendbrunnen []',
      'ffm-eb-9 50.11080 8.68652 Atlas-/ Kugelbrunnen []',
    ],
  },
  {
    file: 'frankfurt_mixed-licence_2026.geojson',
    map: 'frankfurt-openstreetmap',
    counts: '73 52 21 0 0',
    says: '2 broken',
    where: 'DE 52; 1 regions, Frankfurt am Main 52',
    fountains: [
      'node/9021352445 50.10669 8.68962 Bäckerbrunnen [bottle-filler wheelchair tested]',
      'node/4407993967 50.04444 8.56487 Trinkbrunnen []',
    ],
  },
  {
    file: 'malawi_waterpoints_2022.csv',
    map: 'malawi-2022',
    counts: '11446 10778 631 0 37',
    says: '10778 checked, 734 broken',
    where: 'MW 10709, MZ 69; 0 regions',
    fountains: [
      'geo:-14.52407,35.21623 -14.52407 35.21623 Water point at -14.5241, 35.2162 []',
      'geo:-13.68827,34.93353 -13.68827 34.93353 Water point at -13.6883, 34.9335 []',
    ],
  },
  {
    file: 'malawi_waterpoints_bom_2023.csv',
    map: 'malawi-2023',
    counts: '1425 1315 67 43 0',
    says: '144 broken',
    where: 'MW 1311, MZ 4; 0 regions',
    fountains: [
      '243390968 -16.31032 34.88356 Water point at -16.3103, 34.8836 []',
      '523111278 -16.34179 34.66400 Water point at -16.3418, 34.6640 [free]',
    ],
  },
  {
    file: 'osm_arua-uganda_overpass-raw_2018.json',
    map: 'openstreetmap',
    counts: '3118 3077 41 0 0',
    says: '3077 updated, 1196 broken',
    where: 'UG 3058, CD 19; 3 regions, Arua 3053',
    fountains: [
      'node/4968656441 3.18240 31.28002 Ungurua [well hand-pump]',
      'node/5333108121 3.06109 30.85322 Enyanyaru spring water [spring hand-pump]',
    ],
  },
  {
    file: 'osm_barcelona_noids_2026.geojson',
    map: 'openstreetmap',
    counts: '2990 2981 7 2 0',
    says: '281 checked, 30 openingHours, 8 broken',
    where: 'ES 2981; 1 regions, Santa Coloma de Cervelló 1',
    fountains: [
      'geo:41.37520,2.16748 41.37520 2.16748 Tap at 41.3752, 2.1675 [free lit tap]',
      'geo:41.47678,1.92902 41.47678 1.92902 Drinking fountain at 41.4768, 1.9290 [free wheelchair]',
    ],
  },
  {
    file: 'osm_catalunya_overpass-turbo_2025.geojson',
    map: 'openstreetmap',
    counts: '7107 7076 31 0 0',
    says: '449 checked, 30 openingHours, 7 broken',
    where: 'ES 7076; 6 regions, Valls 2',
    fountains: [
      'way/1347800352 41.28404 1.24773 Font de la Plaça del Blat [bottle-filler free tap always-open all-year]',
      'node/3702768870 41.41328 2.15032 Tap at 41.4133, 2.1503 [free tap]',
    ],
  },
  {
    file: 'osm_chattanooga_2025.csv',
    map: 'openstreetmap',
    counts: '17 17 0 0 0',
    says: '1 checked',
    where: 'US 17; 0 regions',
    fountains: [
      'geo:35.05315,-85.29639 35.05315 -85.29639 Drinking fountain at 35.0532, -85.2964 []',
      'geo:35.01986,-85.32363 35.01986 -85.32363 Drinking fountain at 35.0199, -85.3236 [free]',
    ],
  },
  {
    file: 'osm_hamburg_pythondict-tags_2019.csv',
    map: 'openstreetmap',
    counts: '127 41 86 0 0',
    says: '2 checked, 1 openingHours',
    where: 'DE 41; 0 regions',
    fountains: [
      'node/276284733 53.54527 9.97190 Drinking fountain at 53.5453, 9.9719 [wheelchair]',
      'node/932373726 53.62826 10.07421 Drinking fountain at 53.6283, 10.0742 []',
    ],
  },
  {
    file: 'osm_munich_latin1_keyed_2013.json',
    map: 'munich-openstreetmap',
    counts: '291 291 0 0 0',
    where: 'DE 291; 0 regions',
    fountains: [
      'geo:48.13929,11.58881 48.13929 11.58881 Schnitterin-Brunnen []',
      'geo:52.53511,13.27387 52.53511 13.27387 Fountain at 52.5351, 13.2739 []',
    ],
  },
  {
    file: 'osm_paris_overpass-ide_2021.geojson',
    map: 'openstreetmap',
    counts: '821 798 23 0 0',
    says: '22 checked, 2 openingHours',
    where: 'FR 798; 0 regions',
    fountains: [
      'node/482775495 48.83515 2.43397 Bottle filler at 48.8351, 2.4340 [bottle-filler free wheelchair]',
      'node/918204531 48.85216 2.29472 Drinking fountain at 48.8522, 2.2947 []',
    ],
  },
  {
    file: 'osm_rome_wide76_2019.csv',
    map: 'openstreetmap',
    counts: '1645 1548 97 0 0',
    says: '8 openingHours, 1 broken',
    where: 'IT 1532, VA 16; 1 regions, Roma 1',
    fountains: [
      'node/246569213 41.82451 12.48555 Running fountain at 41.8245, 12.4855 [fountain]',
      'node/303873368 41.86690 12.52445 Running fountain at 41.8669, 12.5245 [fountain wheelchair]',
    ],
  },
  {
    file: 'palermo_fontanelle_amap_2021.csv',
    map: 'palermo',
    counts: '30 30 0 0 0',
    where: 'IT 30; 1 regions, Palermo 30',
    fountains: [
      'FW1 38.11986 13.35550 Fontanella Via Volturno []',
      'FW30 38.06854 13.41886 Fontanella Via Giardina 2 []',
    ],
  },
  {
    file: 'paris_fontaines_2022.geojson',
    map: 'paris',
    counts: '1201 1201 0 0 0',
    says: '87 since, 82 broken, 25 until, 5 off, 4 season',
    where: 'FR 1201; 28 regions, Paris 20eme Arrondissement 127',
    fountains: [
      '450019309 48.88709 2.33945 Borne-fontaine, 20 Rue Norvins []',
      '450071499 48.88602 2.36583 Fontaine pétillante, 28F Rue d Aubervilliers [sparkling]',
    ],
  },
  {
    file: 'paris_fontaines_bom_2024.csv',
    map: 'paris',
    counts: '1327 1327 0 0 0',
    says: '73 since, 70 broken, 15 until, 3 off, 1 season',
    where: 'FR 1327; 28 regions, Paris 20eme Arrondissement 135',
    fountains: [
      '450024929 48.84890 2.28759 Borne-fontaine, 59 Rue Saint Charles []',
      "450071236 48.85155 2.41115 Fontaine Poing d'Eau, 50 Boulevard Davout []",
    ],
  },
  {
    file: 'paris_fontaines_headerless_2021.csv',
    map: 'paris-headerless',
    counts: '1189 1189 0 0 0',
    says: '72 since, 68 broken, 27 until, 4 off, 1 season',
    where: 'FR 1189; 28 regions, Paris 20eme Arrondissement 126',
    fountains: [
      '450080521 48.87146 2.39298 Borne-fontaine, 8F Place du Guignier []',
      '450019290 48.84481 2.40523 Fontaine Wallace, 82F Avenue de Saint Mande [wallace]',
    ],
  },
  {
    file: 'paris_fontaines_semicolon_2019.csv',
    map: 'paris-2019',
    counts: '1422 915 507 0 0',
    says: '20 broken',
    where: 'FR 915; 20 regions, Paris 75018 87',
    fountains: [
      '760 48.82770 2.33230 Fontaine Wallace, 77 rue de la Tombe Issoire [wallace seasonal]',
      `2005 48.82438 2.36409 Fontaine Wallace, Avenue D'Ivry "FW Rouge" [wallace seasonal]`,
    ],
  },
  {
    file: 'rwp_waterpoints_9countries.csv',
    map: 'rural-water-points',
    counts: '1793 1713 54 0 26',
    says: '1713 checked, 292 broken',
    where:
      'ET 382, NP 277, MW 272, ML 157, NE 147, IN 128, UG 124, RW 116, MZ 107, BF 2, ER 1; 112 regions, Sindhuli, Nepal 236',
    fountains: [
      '1 14.11632 38.49383 Borehole with hand pump, Medebay Zana [hand-pump well]',
      '802 13.61810 39.14022 Protected dug well with hand pump, Degua Temben [hand-pump well fee]',
    ],
  },
  {
    file: 'vancouver_utm_bom.csv',
    map: 'vancouver',
    counts: '278 258 20 0 0',
    says: '36 season',
    where: 'CA 258; 1 regions, Vancouver 258',
    fountains: [
      'DFPB0005 49.27892 -123.10618 Drinking fountain, Andy Livingstone Park - North of basketball court [bubbler seasonal]',
      'DFENG0025 49.28674 -123.13652 Drinking fountain, Comox & Cardero [bubbler all-year]',
    ],
  },
  {
    file: 'vienna_trinkbrunnen_2024.geojson',
    map: 'vienna',
    counts: '2099 1539 511 49 0',
    where: 'AT 1539; 1 regions, Wien 1539',
    fountains: [
      'geo:48.18875,16.31691 48.18875 16.31691 Trinkbrunnen mit Tränke, Wien [dog-bowl bubbler]',
      'geo:48.17572,16.30204 48.17572 16.30204 Auslaufbrunnen mit Tränke, Wien [dog-bowl fountain]',
    ],
  },
  {
    file: 'zurich_brunnen_2018.geojson',
    map: 'zurich',
    counts: '1281 1281 0 0 0',
    where: 'CH 1281; 1 regions, Zürich 1281',
    fountains: [
      '510 47.36975 8.59926 Aussichtsturm [fountain]',
      '984 47.40275 8.59251 Sportanlage Heerenschürli [fountain]',
    ],
  },
  {
    file: 'zurich_brunnen_2021.geojson',
    map: 'zurich',
    counts: '1274 1274 0 0 0',
    where: 'CH 1274; 1 regions, Zürich 1274',
    fountains: [
      '510 47.36975 8.59926 Öffentlicher Brunnen 510 [fountain]',
      '177 47.36532 8.52146 Öffentlicher Brunnen 177 [fountain]',
    ],
  },
  {
    file: 'zurich_brunnen_dms_qid_2018.csv',
    map: 'zurich',
    counts: '1283 1282 0 1 0',
    where: 'CH 1282; 1 regions, Zürich 1282',
    fountains: [
      '510 47.36975 8.59926 Aussichtsturm [fountain]',
      '6004 47.38791 8.47161 Notwasserbrunnen 6004 []',
    ],
  },
]
