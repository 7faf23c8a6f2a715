import type { Waypoint } from '../data/records.ts'
import { wayOf } from '../map/card/way.ts'
import type { Position } from '../map/page/position.ts'
import { besideName, unnamedOf } from '../naming.ts'
import type { Stages } from '../status/stage.ts'
import { usePage } from './on-page.tsx'
import { FountainName, Icon } from './parts.tsx'
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
  | 'rating'
  | 'last_confirmed'
> {
  readonly stages: Stages
  readonly hasPage: boolean
}

/** The number of amenity icons in a row. */
const mostIcons = 6

/** @param props.middle of the region, from where it is told how far labels that may be alike are */
export function FountainRow({ row, middle }: { readonly row: RowData; readonly middle: Position }) {
  const page = usePage()
  const { rating, last_confirmed: confirmed } = row
  const way = unnamedOf(row) && wayOf(page, middle, row)
  return (
    <tr
      data-waypoint={page.hasForms ? row.id : undefined}
      data-street={page.hasForms ? row.street : undefined}
    >
      <th scope="row">
        <a class="row-name" href={page.fountain(row.id, row.hasPage)}>
          <Icon name={page.kindIcon(row)} />
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
            <span data-metres={way.metres}>{way.distance}</span>, <span {...page.said(way.pointKey)} />
          </span>
        )}{' '}
        <ShortStatus stages={row.stages} access={row.access} />
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
