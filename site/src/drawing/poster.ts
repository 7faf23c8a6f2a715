import type { Survey } from '../data/survey.ts'
import { inhabited } from '../map/data/config.ts'
import { atLeast, windowOn } from './land.ts'

/** The placeholder until the map has loaded: the land with dots for fountains. */
export interface Poster {
  readonly viewBox: string
  readonly land: string
  readonly dots: string
}

const width = 1200
const height = 900
const mostDots = 500

let drawn: { survey: Survey; poster: Poster } | undefined

/** Draws the poster of a survey, once: it is the same in every language. */
export function drawPoster(survey: Survey): Poster {
  if (drawn?.survey === survey) return drawn.poster
  const window = windowOn(atLeast(survey.bounds ?? inhabited, 0.05), {
    width,
    height,
    margin: 120,
    grain: 1,
  })
  const step = Math.max(1, Math.ceil(survey.dots.length / mostDots))
  const dots = survey.dots
    .filter((_, index) => index % step === 0)
    .map(([longitude, latitude]) => {
      const [x, y] = window.place(longitude, latitude)
      return `M${Math.round(x)} ${Math.round(y)}h0`
    })
    .join('')
  const poster = { viewBox: `0 0 ${width} ${height}`, land: window.land(), dots }
  drawn = { survey, poster }
  return poster
}
