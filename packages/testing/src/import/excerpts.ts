import type { RealFile } from '../../../exchange/test/import/real-fountains.ts'

const ofThe2018File: RealFile['fountains'] = [
  ['510', 47.36975, 8.59926, 'Aussichtsturm', 'fountain'],
  ['349', 47.36929, 8.59081, 'Öffentlicher Brunnen 349', 'fountain'],
  ['6069', 47.36933, 8.56439, 'Notwasserbrunnen 6069', ''],
  ['4', 47.37105, 8.54309, 'Fischmarkt-, Samsonbrunnen', 'fountain'],
  ['1183.1', 47.37919, 8.53717, 'Perronanlage Hauptbahnhof', 'fountain'],
]

/** What the files in fixtures/zurich are imported as: excerpts of the city's own, and the same written by other programs. */
export const excerpts: readonly RealFile[] = [
  {
    file: 'brunnen-2018.geojson',
    map: 'zurich',
    says: '',
    where: 'CH 12; 1 regions, Zürich 12',
    counts: [12, 12, 0, 0, 0],
    fountains: ofThe2018File,
  },
  {
    file: 'brunnen-2021.geojson',
    map: 'zurich',
    says: '',
    where: 'CH 14; 1 regions, Zürich 14',
    counts: [14, 14, 0, 0, 0],
    fountains: [
      ['510', 47.36975, 8.59926, 'Öffentlicher Brunnen 510', 'fountain'],
      ['6069', 47.36932, 8.56439, 'Notwasserbrunnen 6069', ''],
      ['700.1', 47.38005, 8.50083, 'Brunnen in städtischer Liegenschaft 700.1', 'fountain'],
      ['1305', 47.38894, 8.5239, 'Öffentlicher Brunnen 1305', 'fountain'],
      ['177', 47.36532, 8.52146, 'Öffentlicher Brunnen 177', 'fountain'],
    ],
  },
  {
    file: 'brunnen-with-wikidata-2018.csv',
    map: 'zurich',
    says: '',
    where: 'CH 11; 1 regions, Zürich 11',
    counts: [12, 11, 0, 1, 0],
    fountains: [
      ['510', 47.36975, 8.59926, 'Aussichtsturm', 'fountain'],
      ['4', 47.37105, 8.54309, 'Fischmarkt-, Samsonbrunnen', 'fountain'],
      ['735', 47.37729, 8.46805, 'Bachtobelweg, bei Grossmutter E', 'fountain'],
      ['1183.1', 47.37827, 8.53812, 'Perronanlage Hauptbahnhof', 'fountain'],
      ['827', 47.37241, 8.57318, 'Mitte Grand Hotel', ''],
    ],
  },
  {
    file: 'brunnen-2018.geojsonl',
    map: 'zurich',
    says: '',
    where: 'CH 12; 1 regions, Zürich 12',
    counts: [12, 12, 0, 0, 0],
    fountains: ofThe2018File,
  },
  {
    file: 'brunnen-2018.kml',
    map: 'zurich',
    says: '',
    where: 'CH 12; 1 regions, Zürich 12',
    counts: [12, 12, 0, 0, 0],
    fountains: ofThe2018File,
  },
  {
    file: 'brunnen-2018.gpkg',
    map: 'zurich',
    says: '',
    where: 'CH 12; 1 regions, Zürich 12',
    counts: [12, 12, 0, 0, 0],
    fountains: ofThe2018File,
  },
  {
    file: 'brunnen-2018.parquet',
    map: 'zurich',
    says: '',
    where: 'CH 12; 1 regions, Zürich 12',
    counts: [12, 12, 0, 0, 0],
    fountains: ofThe2018File,
  },
  {
    file: 'brunnen-2018.gpx',
    map: undefined,
    says: '',
    where: 'CH 12; 0 regions',
    counts: [12, 12, 0, 0, 0],
    fountains: [
      ['510', 47.36975, 8.59926, 'Aussichtsturm', ''],
      ['349', 47.36929, 8.59081, 'Öffentlicher Brunnen at 47.3693, 8.5908', ''],
      ['6069', 47.36933, 8.56439, 'Notwasserbrunnen at 47.3693, 8.5644', ''],
      ['4', 47.37105, 8.54309, 'Fischmarkt-, Samsonbrunnen', ''],
      ['1183.1', 47.37919, 8.53717, 'Perronanlage Hauptbahnhof', ''],
    ],
  },
  {
    file: 'brunnen-2018-overpass.json',
    map: 'openstreetmap',
    says: '',
    where: 'CH 12; 0 regions',
    counts: [12, 12, 0, 0, 0],
    fountains: [
      ['node/-1', 47.36975, 8.59926, 'Aussichtsturm', ''],
      ['node/-2', 47.36929, 8.59081, 'Drinking fountain at 47.3693, 8.5908', ''],
      ['node/-5', 47.36933, 8.56439, 'Drinking fountain at 47.3693, 8.5644', ''],
      ['node/-51', 47.37105, 8.54309, 'Fischmarkt-, Samsonbrunnen', ''],
      ['node/-1101', 47.37919, 8.53717, 'Perronanlage Hauptbahnhof', ''],
    ],
  },
]
