import { earthRadiusMetres } from '@openfountain/core/geodesy'
import type { Polygon } from 'geojson'
import { siteOfPage } from '../../api/site.ts'
import { wrapLongitude, type Position } from '../page/position.ts'
import type { Bounds } from '../../data/region.ts'
import { usePage } from '../../views/on-page.tsx'
import { Icon } from '../../views/parts.tsx'
import type { Filter } from './filter.ts'

export interface Circle extends Position {
  /** In metres. */
  readonly radius: number
}

const radii = [250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]
const corners = 72

export function shapeOf({ latitude, longitude, radius }: Circle): Polygon {
  const high = ((radius / earthRadiusMetres) * 180) / Math.PI
  const wide = high / Math.cos((latitude / 180) * Math.PI)
  const line = Array.from({ length: corners + 1 }, (_, index) => {
    const turn = (index / corners) * 2 * Math.PI
    return [longitude + wide * Math.sin(turn), latitude + high * Math.cos(turn)]
  })
  return { type: 'Polygon', coordinates: [line] }
}

/** The query of a circle, or of bounds and a chosen region; undefined for the whole world. */
export function areaQuery(
  circle: Circle | undefined,
  [west, south, east, north]: Bounds,
  { region }: Filter,
): string | undefined {
  const rounded = (...all: number[]) => String(all.map((each) => Number(each.toFixed(4))))
  if (circle) {
    const { latitude, longitude, radius } = circle
    return String(new URLSearchParams({ near: rounded(latitude, longitude), radius: String(radius) }))
  }
  if (east - west >= 360) return undefined
  const bbox = rounded(wrapLongitude(west), south, wrapLongitude(east), north)
  return String(new URLSearchParams({ bbox, ...(region !== undefined && { region }) }))
}

/** The circle in an address, in the middle of the map where it names no place; undefined where it names no radius. */
export function circleIn(search: string, middle: Position): Circle | undefined {
  const query = new URLSearchParams(search)
  const radius = Number(query.get('radius'))
  const [latitude = NaN, longitude = NaN] = query.get('near')?.split(',').map(Number) ?? []
  if (!(radius > 0 && radius < Infinity)) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude, radius }
    : { ...middle, radius }
}

/** The area that can be followed, to the page that follows it, and to its feed. @param area its query */
export function Telling({
  area,
  circle,
  onRadius,
  onCentre,
}: {
  readonly area: string | undefined
  readonly circle: Circle | undefined
  /** Undefined for all that is seen. */
  onRadius(metres: number | undefined): void
  onCentre(): void
}) {
  const page = usePage()
  const chosen = circle?.radius
  const offered = chosen === undefined || radii.includes(chosen) ? radii : [chosen, ...radii]
  return (
    <div class="stack-3" id="list-telling">
      <label class="field">
        <span>{page.text('map.followed')}</span>
        <select
          id="radius"
          onChange={({ currentTarget }) => onRadius(Number(currentTarget.value) || undefined)}
        >
          <option value="" selected={!circle}>
            {page.text('map.seen')}
          </option>
          {offered.map((metres) => (
            <option key={metres} value={metres} selected={metres === chosen}>
              {page.text('map.circle', { distance: page.distance(metres) })}
            </option>
          ))}
        </select>
      </label>
      {circle && <p class="faint">{page.text('map.circleHint')}</p>}
      <p class="actions">
        {circle && (
          <button type="button" class="chip" id="circle-here" onClick={onCentre}>
            {page.text('map.circleHere')}
          </button>
        )}
        {area && (
          <>
            <a class="chip" href={page.address(`following/?${area}`)}>
              <Icon name="bell" />
              {page.text('map.follow')}
            </a>
            <a
              class="chip"
              href={`${siteOfPage().api}/feeds/changes.atom?${area}`}
              type="application/atom+xml"
            >
              {page.text('map.feed')}
            </a>
          </>
        )}
      </p>
    </div>
  )
}
