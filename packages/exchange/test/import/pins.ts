/** The expected import of a real file. */
export interface Pin {
  readonly file: string
  /** The ready map for the file, or `-` where its headings suffice. */
  readonly map: string
  /** Rows read, created, left out, duplicated and refused. */
  readonly counts: string
  /** The day of publication, where the file has it, and counts of states, days, hours and seasons. */
  readonly says: string
  /** The countries, the number of named regions, and the largest region. */
  readonly where: string
  /** Reference, place, name and amenities of one. */
  readonly fountain: string
}

const pinsIn = (text: string): Pin[] =>
  text
    .trim()
    .split('\n\n')
    .map((lines) => {
      const [first = '', where = '', fountain = ''] = lines.split('\n')
      const [read = '', says = ''] = first.split('; ')
      const [file = '', map = '', ...counts] = read.split(' ')
      return { file, map, counts: counts.join(' '), says, where, fountain }
    })

const of2018 = ['geojson', 'geojsonl', 'kml', 'gpkg', 'parquet'].map(
  (ending) => `brunnen-2018.${ending} zurich 12 12 0 0 0
CH 12; 1 regions, Zürich 12
510 47.36975 8.59926 Aussichtsturm [fountain]`,
)

/** The files in fixtures/zurich: excerpts of the city's own, and the same written by other programs. */
export const excerpts = pinsIn(`
${of2018.join('\n\n')}

brunnen-2021.geojson zurich 14 14 0 0 0
CH 14; 1 regions, Zürich 14
700.1 47.38005 8.50083 Running fountain [fountain]

brunnen-with-wikidata-2018.csv zurich 12 11 0 1 0
CH 11; 1 regions, Zürich 11
827 47.37241 8.57318 Mitte Grand Hotel []

brunnen-2018.gpx - 12 12 0 0 0
CH 12; 0 regions
349 47.36929 8.59081 Water point []

brunnen-2018-overpass.json openstreetmap 12 12 0 0 0
CH 12; 0 regions
node/-2 47.36929 8.59081 Water point []`)

/** Files of cities and mappers; complete ones of three cities are in packages/testing/data, all in ../shared/data. */
export const realFiles = pinsIn(`
eaupotable-info_2026.gpx eaupotable 886 886 0 0 0
FR 486, BE 191, ES 57, CH 38, US 31, IT 14, AT 12, PT 11, DE 9, CA 8, GB 8, CZ 4, AU 3, NL 2, PL 2, SE 2, BA 1, CY 1, GR 1, HR 1, IE 1, NC 1, RO 1, SI 1; 0 regions
https://eaupotable.info/fr/1-source-de-ninane 50.35071 5.58341 Source de Ninane []

frankfurt_mixed-licence_2026.geojson frankfurt-city 73 21 52 0 0; as of 2026-08-14, 21 updated
DE 21; 1 regions, Frankfurt am Main 21
ffm-eb-1 50.11840 8.66279 Bacchusbrunnen/ Westendbrunnen []

frankfurt_mixed-licence_2026.geojson frankfurt-openstreetmap 73 52 21 0 0; as of 2026-08-14, 52 updated, 2 broken
DE 52; 1 regions, Frankfurt am Main 52
node/9021352445 50.10669 8.68962 Bäckerbrunnen [bottle-filler wheelchair tested]

malawi_waterpoints_2022.csv malawi-2022 11446 10778 631 0 37; as of 2022-12-06, 10778 checked, 777 season, 732 broken, 2 off
MW 10709, MZ 69; 0 regions
geo:-14.52407,35.21623 -14.52407 35.21623 Water point []

malawi_waterpoints_bom_2023.csv malawi-2023 1425 1315 67 43 0; 144 broken, 124 season
MW 1311, MZ 4; 0 regions
523111278 -16.34179 34.66400 Water point [free]

osm_arua-uganda_overpass-raw_2018.json openstreetmap 3118 3077 41 0 0; as of 2018-06-07, 3077 updated, 1196 broken
UG 3058, CD 19; 3 regions, Arua 3053
node/5333108121 3.06109 30.85322 Enyanyaru spring water [spring hand-pump]

osm_hamburg_pythondict-tags_2019.csv openstreetmap 127 43 84 0 0; 2 checked, 1 openingHours
DE 43; 0 regions
node/276284733 53.54527 9.97190 Water point [wheelchair]

osm_munich_latin1_keyed_2013.json munich-openstreetmap 291 291 0 0 0
DE 291; 0 regions
geo:48.13929,11.58881 48.13929 11.58881 Schnitterin-Brunnen []

osm_rome_wide76_2019.csv openstreetmap 1645 1551 94 0 0; 8 openingHours, 1 broken
IT 1535, VA 16; 1 regions, Roma 1
node/303873368 41.86690 12.52445 Running fountain [fountain wheelchair]

palermo_fontanelle_amap_2021.csv palermo 30 30 0 0 0
IT 30; 1 regions, Palermo 30
FW1 38.11986 13.35550 Fontanella Via Volturno []

paris_fontaines_2022.geojson paris 1201 1201 0 0 0; 87 since, 82 broken, 25 until, 5 off, 4 season
FR 1201; 28 regions, Paris 20eme Arrondissement 127
450071499 48.88602 2.36583 Drinking fountain [sparkling bubbler]

paris_fontaines_headerless_2021.csv paris-headerless 1189 1189 0 0 0; 72 since, 68 broken, 27 until, 4 off, 1 season
FR 1189; 28 regions, Paris 20eme Arrondissement 126
450019290 48.84481 2.40523 Wallace fountain [wallace]

paris_fontaines_semicolon_2019.csv paris-2019 1422 915 507 0 0; 20 broken
FR 915; 20 regions, Paris 75018 87
760 48.82770 2.33230 Wallace fountain [wallace seasonal]

rwp_waterpoints_9countries.csv rural-water-points 1793 1713 54 0 26; as of 2020-12-19, 1713 checked, 250 broken, 42 off
ET 382, NP 277, MW 272, ML 157, NE 147, IN 128, UG 124, RW 116, MZ 107, BF 2, ER 1; 112 regions, Sindhuli 236
802 13.61810 39.14022 Hand pump [hand-pump well fee]

vancouver_utm_bom.csv vancouver 278 258 20 0 0; 36 season
CA 258; 23 regions, Stanley Park, Vancouver 24
DFPB0005 49.27892 -123.10618 Drinking fountain [bubbler seasonal]

vienna_trinkbrunnen_2024.geojson vienna 2099 1539 511 49 0; as of 2024-08-02
AT 1539; 1 regions, Wien 1539
geo:48.17572,16.30204 48.17572 16.30204 Running fountain [dog-bowl fountain]

zurich_brunnen_2021.geojson zurich 1274 1274 0 0 0
CH 1274; 1 regions, Zürich 1274
510 47.36975 8.59926 Running fountain [fountain]`)
