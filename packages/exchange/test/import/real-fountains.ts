import type maps from './maps.ts'

/**
 * What a real file is imported as: counts of rows read, created, left out, duplicated and refused, and five fountains of
 * it. Over 300 lines: it is data.
 */
export interface RealFile {
  readonly file: string
  /** The ready map that reads it; undefined where the headings suffice. */
  readonly map: keyof typeof maps | undefined
  readonly counts: readonly [
    rows: number,
    created: number,
    leftOut: number,
    duplicates: number,
    refused: number,
  ]
  readonly fountains: readonly (readonly [
    ref: string,
    latitude: number,
    longitude: number,
    name: string,
    amenities: string,
  ])[]
}

export const realFiles: readonly RealFile[] = [
  {
    file: 'eaupotable-info_2026.gpx',
    map: 'eaupotable',
    counts: [886, 886, 0, 0, 0],
    fountains: [
      ['https://eaupotable.info/fr/1-source-de-ninane', 50.35071, 5.58341, 'Source de Ninane', ''],
      [
        'https://eaupotable.info/fr/299-boulevard-de-limperatrice',
        50.85949,
        4.28604,
        'Boulevard de l’Impératrice',
        '',
      ],
      [
        'https://eaupotable.info/fr/510-fontaine-du-cimetiere',
        49.04192,
        2.29333,
        'Fontaine du cimetière',
        '',
      ],
      ['https://eaupotable.info/fr/860-source-moha', 50.54769, 5.18621, 'Source moha', ''],
      [
        'https://eaupotable.info/fr/1084-drinkwaterpunt-vloethemveld',
        51.1355,
        3.14034,
        'Drinkwaterpunt Vloethemveld',
        '',
      ],
    ],
  },
  {
    file: 'frankfurt_mixed-licence_2026.geojson',
    map: 'frankfurt-city',
    counts: [73, 21, 52, 0, 0],
    fountains: [
      ['ffm-eb-1', 50.1184, 8.66279, 'Bacchusbrunnen/ Westendbrunnen', ''],
      ['ffm-eb-15', 50.10534, 8.69081, 'Klapperbrunnen', ''],
      ['ffm-eb-2', 50.12078, 8.66532, 'Altkönigsbrunnen', ''],
      ['ffm-eb-30', 50.08035, 8.57666, 'Kaffee-Brünnchen', ''],
      ['ffm-eb-9', 50.1108, 8.68652, 'Atlas-/ Kugelbrunnen', ''],
    ],
  },
  {
    file: 'frankfurt_mixed-licence_2026.geojson',
    map: 'frankfurt-openstreetmap',
    counts: [73, 52, 21, 0, 0],
    fountains: [
      ['node/9021352445', 50.10669, 8.68962, 'Bäckerbrunnen', 'bottle-filler wheelchair tested'],
      [
        'node/4410622565',
        50.11368,
        8.68044,
        'Mainovabrunnen an der Liebfrauenstraße/Zeil',
        'bottle-filler wheelchair tested',
      ],
      ['node/11084217003', 50.1018, 8.54263, 'Brunnen Bahnhof Höchst', 'bottle-filler wheelchair tested'],
      ['node/4407993967', 50.04444, 8.56487, 'Trinkbrunnen', ''],
      ['node/7046401009', 50.04911, 8.56776, 'Trinkbrunnen', ''],
    ],
  },
  {
    file: 'malawi_waterpoints_2022.csv',
    map: 'malawi-2022',
    counts: [11446, 10778, 631, 0, 37],
    fountains: [
      ['geo:-14.52407,35.21623', -14.52407, 35.21623, 'Water point at -14.5241, 35.2162', ''],
      ['geo:-14.36623,35.43830', -14.36623, 35.4383, 'Water point at -14.3662, 35.4383', ''],
      ['geo:-14.70788,35.50117', -14.70788, 35.50117, 'Water point at -14.7079, 35.5012', ''],
      ['geo:-14.47804,35.27003', -14.47804, 35.27003, 'Water point at -14.4780, 35.2700', ''],
      ['geo:-13.68827,34.93353', -13.68827, 34.93353, 'Water point at -13.6883, 34.9335', ''],
    ],
  },
  {
    file: 'malawi_waterpoints_bom_2023.csv',
    map: 'malawi-2023',
    counts: [1425, 1315, 67, 43, 0],
    fountains: [
      ['243390968', -16.31032, 34.88356, 'Water point at -16.3103, 34.8836', ''],
      ['523111278', -16.34179, 34.664, 'Water point at -16.3418, 34.6640', 'free'],
      ['576594291', -15.06235, 34.90754, 'Water point at -15.0623, 34.9075', 'free'],
      ['572187363', -16.31426, 34.87031, 'Water point at -16.3143, 34.8703', ''],
      ['12098880', -16.28472, 34.90224, 'Water point at -16.2847, 34.9022', 'free'],
    ],
  },
  {
    file: 'osm_arua-uganda_overpass-raw_2018.json',
    map: 'openstreetmap',
    counts: [3118, 3077, 41, 0, 0],
    fountains: [
      ['node/4968656441', 3.1824, 31.28002, 'Ungurua', 'well hand-pump'],
      ['node/5321731630', 3.15315, 31.02156, 'Tisoa community borehole', 'well hand-pump'],
      ['node/5333108121', 3.06109, 30.85322, 'Enyanyaru spring water', 'spring hand-pump'],
      ['node/5459116509', 2.6885, 30.89147, 'Kaza spring', 'spring hand-pump'],
      ['node/5666081062', 3.26229, 31.05439, 'Kubala Tap 02', 'tap'],
    ],
  },
  {
    file: 'osm_barcelona_noids_2026.geojson',
    map: 'openstreetmap',
    counts: [2990, 2981, 7, 2, 0],
    fountains: [
      ['geo:41.37520,2.16748', 41.3752, 2.16748, 'Tap at 41.3752, 2.1675', 'free lit tap'],
      ['geo:41.44156,2.17392', 41.44156, 2.17392, 'Tap at 41.4416, 2.1739', 'free tap'],
      ['geo:41.47678,1.92902', 41.47678, 1.92902, 'Drinking fountain at 41.4768, 1.9290', 'free wheelchair'],
      ['geo:41.39054,2.17020', 41.39054, 2.1702, 'Tap at 41.3905, 2.1702', 'free lit tap'],
      ['geo:41.43893,2.01068', 41.43893, 2.01068, 'Drinking fountain at 41.4389, 2.0107', ''],
    ],
  },
  {
    file: 'osm_catalunya_overpass-turbo_2025.geojson',
    map: 'openstreetmap',
    counts: [7107, 7076, 31, 0, 0],
    fountains: [
      [
        'way/1347800352',
        41.28404,
        1.24773,
        'Font de la Plaça del Blat',
        'bottle-filler free tap always-open all-year',
      ],
      ['node/3702768870', 41.41328, 2.15032, 'Tap at 41.4133, 2.1503', 'free tap'],
      ['node/6356178885', 41.40603, 2.149, 'Tap at 41.4060, 2.1490', 'free tap'],
      ['node/10967400211', 41.37187, 2.16434, 'Tap at 41.3719, 2.1643', 'free tap'],
      ['node/12989129501', 41.44802, 2.20461, 'Drinking fountain at 41.4480, 2.2046', ''],
    ],
  },
  {
    file: 'osm_chattanooga_2025.csv',
    map: 'openstreetmap',
    counts: [17, 17, 0, 0, 0],
    fountains: [
      ['geo:35.05315,-85.29639', 35.05315, -85.29639, 'Drinking fountain at 35.0532, -85.2964', ''],
      ['geo:34.82713,-85.47907', 34.82713, -85.47907, 'Drinking fountain at 34.8271, -85.4791', ''],
      ['geo:35.04676,-85.04854', 35.04676, -85.04854, 'Drinking fountain at 35.0468, -85.0485', ''],
      ['geo:35.04610,-85.04668', 35.0461, -85.04668, 'Drinking fountain at 35.0461, -85.0467', ''],
      ['geo:35.01986,-85.32363', 35.01986, -85.32363, 'Drinking fountain at 35.0199, -85.3236', 'free'],
    ],
  },
  {
    file: 'osm_hamburg_pythondict-tags_2019.csv',
    map: 'openstreetmap',
    counts: [127, 41, 86, 0, 0],
    fountains: [
      ['node/276284733', 53.54527, 9.9719, 'Drinking fountain at 53.5453, 9.9719', 'wheelchair'],
      ['node/932373726', 53.62826, 10.07421, 'Drinking fountain at 53.6283, 10.0742', ''],
      ['node/2197832049', 53.66799, 10.24173, 'Notbrunnen', ''],
      ['node/4678698422', 53.57248, 10.00854, 'Drinking fountain at 53.5725, 10.0085', 'wheelchair'],
      ['node/6426760687', 53.62327, 10.07767, 'Drinking fountain at 53.6233, 10.0777', ''],
    ],
  },
  {
    file: 'osm_munich_latin1_keyed_2013.json',
    map: 'munich-openstreetmap',
    counts: [291, 291, 0, 0, 0],
    fountains: [
      ['geo:48.13929,11.58881', 48.13929, 11.58881, 'Schnitterin-Brunnen', ''],
      ['geo:52.46734,13.47102', 52.46734, 13.47102, 'Märchenbrunnen', ''],
      ['geo:52.43804,13.23227', 52.43804, 13.23227, 'Fountain at 52.4380, 13.2323', ''],
      ['geo:52.40970,13.09047', 52.4097, 13.09047, 'Fountain at 52.4097, 13.0905', ''],
      ['geo:52.53511,13.27387', 52.53511, 13.27387, 'Fountain at 52.5351, 13.2739', ''],
    ],
  },
  {
    file: 'osm_paris_overpass-ide_2021.geojson',
    map: 'openstreetmap',
    counts: [821, 798, 23, 0, 0],
    fountains: [
      [
        'node/482775495',
        48.83515,
        2.43397,
        'Bottle filler at 48.8351, 2.4340',
        'bottle-filler free wheelchair',
      ],
      ['node/918204531', 48.85216, 2.29472, 'Drinking fountain at 48.8522, 2.2947', ''],
      ['node/1991752294', 48.84201, 2.42409, 'Drinking fountain at 48.8420, 2.4241', ''],
      [
        'node/5951993090',
        48.84918,
        2.28159,
        'Bottle filler at 48.8492, 2.2816',
        'bottle-filler free wheelchair',
      ],
      ['node/8349627346', 48.82283, 2.43159, 'Drinking fountain at 48.8228, 2.4316', ''],
    ],
  },
  {
    file: 'osm_rome_wide76_2019.csv',
    map: 'openstreetmap',
    counts: [1645, 1548, 97, 0, 0],
    fountains: [
      ['node/246569213', 41.82451, 12.48555, 'Running fountain at 41.8245, 12.4855', 'fountain'],
      ['node/303873368', 41.8669, 12.52445, 'Running fountain at 41.8669, 12.5245', 'fountain wheelchair'],
      ['node/1251979406', 41.86673, 12.4445, 'Running fountain at 41.8667, 12.4445', 'fountain wheelchair'],
      ['node/3777784821', 41.92885, 12.51233, 'Drinking fountain at 41.9288, 12.5123', ''],
      ['node/7021581874', 41.87749, 12.47492, 'Running fountain at 41.8775, 12.4749', 'fountain'],
    ],
  },
  {
    file: 'palermo_fontanelle_amap_2021.csv',
    map: 'palermo',
    counts: [30, 30, 0, 0, 0],
    fountains: [
      ['FW1', 38.11986, 13.3555, 'Fontanella Via Volturno', ''],
      ['FW7', 38.11001, 13.32534, 'Fontanella Via Madonna del Soccorso', ''],
      ['FW13', 38.13165, 13.32271, 'Fontanella Piazza Uditore', ''],
      ['FW23', 38.10516, 13.37172, 'Fontanella Via Decollati 14', ''],
      ['FW30', 38.06854, 13.41886, 'Fontanella Via Giardina 2', ''],
    ],
  },
  {
    file: 'paris_fontaines_2022.geojson',
    map: 'paris',
    counts: [1201, 1201, 0, 0, 0],
    fountains: [
      ['450019309', 48.88709, 2.33945, 'Borne-fontaine, 20 Rue Norvins', ''],
      ['450072325', 48.83946, 2.30623, 'Fontaine des bois, Square Necker', ''],
      ['450071934', 48.87465, 2.35796, 'Fontaine des bois, Square Saint Laurent', ''],
      ['450077668', 48.86062, 2.40362, 'Fontaine des bois, Chemin du Parc de Charonne', ''],
      ['450071499', 48.88602, 2.36583, 'Fontaine pétillante, 28F Rue d Aubervilliers', 'sparkling'],
    ],
  },
  {
    file: 'paris_fontaines_bom_2024.csv',
    map: 'paris',
    counts: [1327, 1327, 0, 0, 0],
    fountains: [
      ['450024929', 48.8489, 2.28759, 'Borne-fontaine, 59 Rue Saint Charles', ''],
      ['450080208', 48.90943, 2.34463, 'Fontaine des bois, Cimetiere Parisien de Saint-Ouen', ''],
      ['450072132', 48.85602, 2.37676, 'Fontaine des bois, 34F Passage Charles Dallery', ''],
      ['450072250', 48.82053, 2.36026, 'Fontaine des bois, Rue Tagore', ''],
      ['450071236', 48.85155, 2.41115, "Fontaine Poing d'Eau, 50 Boulevard Davout", ''],
    ],
  },
  {
    file: 'paris_fontaines_headerless_2021.csv',
    map: 'paris-headerless',
    counts: [1189, 1189, 0, 0, 0],
    fountains: [
      ['450080521', 48.87146, 2.39298, 'Borne-fontaine, 8F Place du Guignier', ''],
      ['450080526', 48.86634, 2.39217, 'Borne-fontaine, 15 Rue Sorbier', ''],
      ['450072454', 48.89413, 2.3246, 'Fontaine des bois, 3F Villa Sainte Croix', ''],
      ['450077661', 48.83699, 2.44741, 'Fontaine des bois, Parc Floral', ''],
      ['450019290', 48.84481, 2.40523, 'Fontaine Wallace, 82F Avenue de Saint Mande', 'wallace'],
    ],
  },
  {
    file: 'paris_fontaines_semicolon_2019.csv',
    map: 'paris-2019',
    counts: [1422, 915, 507, 0, 0],
    fountains: [
      ['760', 48.8277, 2.3323, 'Fontaine Wallace, 77 rue de la Tombe Issoire', 'wallace seasonal'],
      ['35', 48.8684, 2.3502, 'Fontaine Wallace, 6 rue Saint Spire', 'wallace seasonal'],
      ['1071', 48.8836, 2.31358, 'Fontaine Wallace, 2 rue de Lévis', 'wallace seasonal'],
      ['1068', 48.8849, 2.29829, 'Fontaine Wallace, 112 avenue de Villiers', 'wallace seasonal'],
      ['2005', 48.82438, 2.36409, 'Fontaine Wallace, Avenue D\'Ivry "FW Rouge"', 'wallace seasonal'],
    ],
  },
  {
    file: 'rwp_waterpoints_9countries.csv',
    map: 'rural-water-points',
    counts: [1793, 1713, 54, 0, 26],
    fountains: [
      ['1', 14.11632, 38.49383, 'Borehole with hand pump, Medebay Zana', 'hand-pump well'],
      ['408', 27.69918, 84.7498, 'Public tap / standpipe, Chitwan', 'tap'],
      ['802', 13.6181, 39.14022, 'Protected dug well with hand pump, Degua Temben', 'hand-pump well fee'],
      ['1399', 12.91912, 2.92793, 'Borehole with hand pump, Boboye', 'hand-pump well fee'],
      ['1793', 0.23035, 33.74804, 'Borehole with hand pump, Mutumba', 'hand-pump well fee'],
    ],
  },
  {
    file: 'vancouver_utm_bom.csv',
    map: 'vancouver',
    counts: [278, 258, 20, 0, 0],
    fountains: [
      [
        'DFPB0005',
        49.27892,
        -123.10618,
        'Drinking fountain, Andy Livingstone Park - North of basketball court',
        'bubbler seasonal',
      ],
      [
        'DFENG0041',
        49.20533,
        -123.03113,
        'Drinking fountain, River District Crossing & E Kent Ave North',
        'bubbler seasonal',
      ],
      ['DFENG0025', 49.28674, -123.13652, 'Drinking fountain, Comox & Cardero', 'bubbler all-year'],
      ['DFPB0133', 49.21692, -123.08242, 'Drinking fountain, Ross Park', 'bubbler seasonal'],
      [
        'DFENG0707',
        49.28317,
        -123.09345,
        'Temporary drinking fountain, Powell & Jackson',
        'bubbler seasonal',
      ],
    ],
  },
  {
    file: 'vienna_trinkbrunnen_2024.geojson',
    map: 'vienna',
    counts: [2099, 1539, 511, 49, 0],
    fountains: [
      ['geo:48.18875,16.31691', 48.18875, 16.31691, 'Trinkbrunnen mit Tränke, Wien', 'dog-bowl bubbler'],
      ['geo:48.18186,16.34582', 48.18186, 16.34582, 'Trinkbrunnen mit Tränke, Wien', 'dog-bowl bubbler'],
      ['geo:48.17890,16.33466', 48.1789, 16.33466, 'Trinkbrunnen mit Tränke, Wien', 'dog-bowl bubbler'],
      ['geo:48.17572,16.30204', 48.17572, 16.30204, 'Auslaufbrunnen mit Tränke, Wien', 'dog-bowl fountain'],
      ['geo:48.17944,16.39241', 48.17944, 16.39241, 'Trinkhydrant, Wien', ''],
    ],
  },
  {
    file: 'zurich_brunnen_2018.geojson',
    map: 'zurich',
    counts: [1281, 1281, 0, 0, 0],
    fountains: [
      ['510', 47.36975, 8.59926, 'Aussichtsturm', 'fountain'],
      ['496', 47.40386, 8.57066, 'Öffentlicher Brunnen 496', 'fountain'],
      ['155', 47.34516, 8.53394, 'in Anlage', 'fountain'],
      ['757', 47.4206, 8.54116, 'bei der Kirche', 'fountain'],
      ['984', 47.40275, 8.59251, 'Sportanlage Heerenschürli', 'fountain'],
    ],
  },
  {
    file: 'zurich_brunnen_2021.geojson',
    map: 'zurich',
    counts: [1274, 1274, 0, 0, 0],
    fountains: [
      ['510', 47.36975, 8.59926, 'Öffentlicher Brunnen 510', 'fountain'],
      ['1110', 47.40472, 8.57234, 'Öffentlicher Brunnen 1110', 'fountain'],
      ['152', 47.34089, 8.53275, 'Öffentlicher Brunnen 152', 'fountain'],
      ['795', 47.35254, 8.5749, 'Privater Brunnen 795', 'fountain'],
      ['177', 47.36532, 8.52146, 'Öffentlicher Brunnen 177', 'fountain'],
    ],
  },
  {
    file: 'zurich_brunnen_dms_qid_2018.csv',
    map: 'zurich',
    counts: [1283, 1282, 0, 1, 0],
    fountains: [
      ['510', 47.36975, 8.59926, 'Aussichtsturm', 'fountain'],
      ['493', 47.40402, 8.57194, 'Öffentlicher Brunnen 493', 'fountain'],
      ['542', 47.33928, 8.53544, 'Kilchbergstrasse 50', 'fountain'],
      ['779', 47.36752, 8.53484, 'Privater Brunnen 779', 'fountain'],
      ['6004', 47.38791, 8.47161, 'Notwasserbrunnen 6004', ''],
    ],
  },
]
