import { expect, it } from 'vitest'
import { parsePosition, positionText } from '../../src/contribute/place/coordinates.ts'

const lund = { latitude: 55.7029, longitude: 13.1929 }

it.each([
  '55.7029, 13.1929',
  '55.7029,13.1929',
  ' (55.7029; 13.1929) ',
  '55,7029 13,1929',
  '55,7029, 13,1929',
  'N 55.7029 E 13.1929',
  '13.1929 E, 55.7029 N',
  '55° 42.174′ N 13° 11.574′ E',
  `55°42'10.44"N 13°11'34.44"E`,
  `55° 42' 10,44'' N, 13° 11' 34,44'' E`,
  'geo:55.7029,13.1929?z=18',
  'https://www.openstreetmap.org/?mlat=55.7029&mlon=13.1929#map=18/1.5/2.5',
  'https://www.openstreetmap.org/#map=18/55.7029/13.1929',
  'https://www.google.com/maps/place/X/@1,2,17z/data=!3d55.7029!4d13.1929',
  'https://www.google.com/maps/@55.7029,13.1929,17z',
  'https://maps.apple.com/?ll=55.7029,13.1929',
  'https://fountains.example/?at=55.7029%2C13.1929,17',
])('a position that somebody typed is read: %s', (text) => {
  expect(parsePosition(text, 'en')).toEqual(lund)
})

it('a position that somebody typed is in the south and in the west by its sign or its letter', () => {
  expect(parsePosition('-33.5, -70.25', 'en')).toEqual({ latitude: -33.5, longitude: -70.25 })
  expect(parsePosition('−33,5 −70,25', 'es')).toEqual({ latitude: -33.5, longitude: -70.25 })
  expect(parsePosition('33°30′S 70°15′W', 'en')).toEqual({ latitude: -33.5, longitude: -70.25 })
})

it('a position that somebody typed has O in the east in German, in the west in French, and nowhere in English', () => {
  expect(parsePosition('55,5° N 13,25° O', 'de')).toEqual({ latitude: 55.5, longitude: 13.25 })
  expect(parsePosition('48,5° N 4,25° O', 'fr')).toEqual({ latitude: 48.5, longitude: -4.25 })
  expect(parsePosition('48.5 N 4.25 O', 'en')).toBeUndefined()
})

it.each(['', 'Market Square', '55.7', '91, 13', '55, 181', '55° 61′ N 13° E', '10 N 20 N'])(
  'a position that somebody typed is not read from %j',
  (text) => {
    expect(parsePosition(text, 'en')).toBeUndefined()
  },
)

it('a position that somebody typed is read again from how it is shown', () => {
  const text = positionText({ latitude: -0.000012, longitude: 179.99999 })
  expect(parsePosition(text, 'en')).toEqual({ latitude: -0.00001, longitude: 179.99999 })
})
