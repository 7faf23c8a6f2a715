import { isUsable } from '@openfountain/core/status'
import type { JSX } from 'preact'
import type { Fountain } from '../data/cell.ts'
import type { NearFountain } from '../data/cells.ts'
import { mapQuery } from '../query.ts'
import { wayOf } from '../card/way.ts'
import type { Position } from '../page/position.ts'
import { besideName, nameIn } from '../../naming.ts'
import type { Filter } from './filter.ts'
import { usePage } from '../../views/on-page.tsx'
import { FountainName, Icon } from '../../views/parts.tsx'
import { Thumbnail } from '../../views/photos.tsx'
import { ShortStatus } from '../../views/stage.tsx'

export interface Listed extends Pick<NearFountain, 'fountain'> {
  /** Where it lies along a route and beside it, in metres. */
  readonly passed?: { readonly along: number; readonly off: number }
}

export interface ListContent {
  readonly title: string
  readonly fountains: readonly Listed[]
  /** The origin of distances and directions; absent when they are not shown. */
  readonly from?: Position
  /** Whether it is a place to walk from, and whether the visitor is there: the arrows then follow the compass. */
  readonly walk?: 'fromHere' | 'fromThere'
  /** A sentence above the list, such as the number of fountains left out. */
  readonly note?: string | undefined
  /** Filters without one of their conditions, which would show more. */
  readonly offers?: readonly Offer[]
  /** Buttons above the list. */
  readonly acts?: readonly { readonly icon: string; readonly label: string; press(): void }[]
}

export interface Offer {
  readonly label: string
  readonly filter: Filter
}

/** The list beside the map. Every entry is a link, so that it can be opened in a new tab. */
export function FountainList({
  content: { title, fountains, from, walk, note, offers = [], acts = [] },
  onChoose,
  onFilter,
}: {
  readonly content: ListContent
  onChoose(fountain: Fountain): void
  onFilter(filter: Filter): void
}) {
  return (
    <>
      <h2 class="panel-heading" id="list-heading" tabIndex={-1}>
        {title}
      </h2>
      <p class="faint" id="list-note" hidden={note === undefined}>
        {note}
      </p>
      <p class="actions" id="list-offers" hidden={offers.length + acts.length === 0}>
        {acts.map(({ icon, label, press }) => (
          <button key={label} type="button" class="chip" onClick={press}>
            <Icon name={icon} />
            {label}
          </button>
        ))}
        {offers.map(({ label, filter }) => (
          <button key={label} type="button" class="chip" onClick={() => onFilter(filter)}>
            {label}
          </button>
        ))}
      </p>
      <ol class="fountains" id="list" aria-labelledby="list-heading">
        {fountains.map(({ fountain, passed }) => (
          <li key={fountain.id}>
            <Entry fountain={fountain} passed={passed} from={from} walk={walk} onChoose={onChoose} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Entry({
  fountain,
  passed,
  from,
  walk,
  onChoose,
}: Pick<ListContent, 'from' | 'walk'> &
  Listed & {
    onChoose(fountain: Fountain): void
  }) {
  const page = usePage()
  const { id, state, stages, isWaiting, verified, access, drinkable, photo } = fountain
  const { amenities, place } = besideName(fountain)
  const about = [
    isWaiting && page.text('live.waiting'),
    ...amenities.slice(0, 3).map((key) => page.amenity(key)),
    place && page.format.isolate(nameIn(place, page.format.tag)),
  ].filter(Boolean)
  const isStated = state !== undefined || access === 'private' || drinkable === 'no'
  const way = from && wayOf(page, from, fountain)
  const chosen = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onChoose(fountain)
  }
  return (
    <a
      class={['fountain', !isUsable(fountain) && 'fountain-unusable', isWaiting && 'fountain-waiting']
        .filter(Boolean)
        .join(' ')}
      href={fountain.page ? page.fountain(id, true) : page.address(mapQuery({ ...fountain, zoom: 16 }, id))}
      data-id={id}
      onClick={chosen}
    >
      {photo ? (
        <Thumbnail photo={photo} />
      ) : (
        <span class="fountain-kind">
          <Icon name={page.kindIcon(fountain)} />
        </span>
      )}
      <span class="fountain-text">
        <span class="fountain-name" dir="auto">
          <FountainName fountain={fountain} />
        </span>
        <span class="faint fountain-about">
          <ShortStatus stages={stages} fountain={fountain} />
          {isStated && about.length > 0 && ' · '}
          {about.join(' · ')}
        </span>
      </span>
      {verified && <Icon name="verified" class="is-verified" label={page.text('waypoint.verified')} />}
      {passed && (
        <span class="quiet small fountain-way">
          <span class="fountain-far">
            <strong>{page.text('map.routeAfter', { distance: page.distance(passed.along) })}</strong>
            <span class="fountain-distance">
              {page.text('map.routeBeside', { distance: page.distance(passed.off) })}
            </span>
          </span>
        </span>
      )}
      {way && (
        <span class="quiet small fountain-way">
          <span class="fountain-far">
            {walk && way.walk && <strong>{way.walk}</strong>}
            <span class="fountain-distance">{way.distance}</span>
          </span>
          <Icon name="arrow" turn={walk === 'fromHere' ? way.turnOnScreen : way.turn} />
          <span class="visually-hidden">{way.direction}</span>
        </span>
      )}
    </a>
  )
}
