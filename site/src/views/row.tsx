import type { Waypoint } from '../data/records.ts'
import { wayOf } from '../map/card/way.ts'
import type { Position } from '../map/page/position.ts'
import { besideName, unnamedOf } from '../naming.ts'
import type { Stages } from '../status/stage.ts'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'
import { FountainName, Icon } from './parts.tsx'
import { Thumbnail } from './photos.tsx'
import { ShortStatus } from './stage.tsx'

/** A fountain in the table of a region. */
export interface RowData extends Pick<
  Waypoint,
  | 'id'
  | 'name'
  | 'latitude'
  | 'longitude'
  | 'amenities'
  | 'street'
  | 'region'
  | 'place'
  | 'town'
  | 'verified'
  | 'access'
  | 'drinkable'
  | 'rating'
  | 'last_confirmed'
  | 'photo'
> {
  readonly stages: Stages
  readonly hasPage: boolean
}

const mostIcons = 6

/** The detail beside a name in a list: none, distance and direction, or the distance to the metre. */
export type Telling = 'way' | 'metres' | undefined

/** The detail of each row: a distance for one without a name or with another's name, to the metre where two are alike. */
export function tellingOf(page: Page, rows: readonly RowData[], middle: Position): Telling[] {
  const named = rows.map((row) => {
    const [title, { distance, pointKey }] = [page.title(row), wayOf(page, middle, row)]
    return { title, way: [title, distance, pointKey].join('\n'), isUnnamed: unnamedOf(row) !== undefined }
  })
  const titles = Map.groupBy(named, ({ title }) => title)
  const ways = Map.groupBy(named, ({ way }) => way)
  return named.map(({ title, way, isUnnamed }) => {
    if ((ways.get(way)?.length ?? 0) > 1) return 'metres'
    return isUnnamed || (titles.get(title)?.length ?? 0) > 1 ? 'way' : undefined
  })
}

/** @param props.middle of the region, from where it is told how far labels that may be alike are */
export function FountainRow({
  row,
  middle,
  telling,
}: {
  readonly row: RowData
  readonly middle: Position
  readonly telling: Telling
}) {
  const page = usePage()
  const { rating, last_confirmed: confirmed, photo } = row
  const way = telling && wayOf(page, middle, row)
  return (
    <tr
      data-waypoint={page.hasForms ? row.id : undefined}
      data-photo={page.hasForms ? photo?.id : undefined}
      data-access={page.hasForms ? row.access : undefined}
      data-street={page.hasForms ? row.street : undefined}
      data-telling={page.hasForms ? telling : undefined}
    >
      <th scope="row">
        <a class="row-name" href={page.fountain(row.id, row.hasPage)}>
          {photo ? <Thumbnail photo={photo} /> : <Icon name={page.kindIcon(row)} />}
          <FountainName fountain={row} />
        </a>
        {row.verified && (
          <>
            {' '}
            <Icon
              name="verified"
              class="is-verified"
              label={page.text('waypoint.verified')}
              labelKey={page.key('waypoint.verified')}
            />
          </>
        )}{' '}
        {way && (
          <span class="row-way">
            {telling === 'metres' ? (
              <>
                <span {...page.number(way.metres)} />
                {'\u00A0m'}
              </>
            ) : (
              <span data-metres={way.metres}>{way.distance}</span>
            )}
            , <span {...page.said(way.pointKey)} />
          </span>
        )}{' '}
        <ShortStatus stages={row.stages} fountain={row} />
      </th>
      <td class="wide-only">
        <span class="row-icons">
          {besideName(row)
            .amenities.slice(0, mostIcons)
            .map((key) => {
              const label = page.amenity(key)
              const labelKey = page.saidOr(`amenity.${key}`, key)['data-t']
              return (
                <span key={key} title={label} data-t-title={labelKey}>
                  <Icon name={page.amenityIcon(key)} label={label} labelKey={labelKey} />
                </span>
              )
            })}
        </span>
      </td>
      <td class="number">
        {typeof rating === 'number' && (
          <span class="row-rating">
            <Icon name="star" class="star-full" />
            <span {...page.number(rating)} />
          </span>
        )}
      </td>
      <td class="wide-only quiet">{confirmed && <time {...page.date(confirmed)} />}</td>
    </tr>
  )
}
