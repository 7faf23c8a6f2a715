import { distanceMetres } from '@openfountain/core/geodesy'
import type { Fountain } from '../data/cell.ts'
import type { Position } from '../page/position.ts'
import { whereabouts } from '../../naming.ts'
import { wayOf } from './way.ts'
import { Answers, Fact, FactRows, MapApps, ObjectLinks } from '../../views/facts.tsx'
import { Amenities, Directions, FollowLink, Tags } from '../../views/fountain.tsx'
import { usePage } from '../../views/on-page.tsx'
import { Photos } from '../../views/photos.tsx'
import { Icon, UserText } from '../../views/parts.tsx'

/** Within this distance of a fountain, the visitor's clock shows its local time, except across a border. */
const sameClocksMetres = 20_000

export function FountainCard({
  fountain,
  from,
  onShare,
}: {
  readonly fountain: Fountain
  readonly from: Position | undefined
  onShare(): void
}) {
  const page = usePage()
  const { id, isWaiting, photo, source } = fountain
  const around = whereabouts(fountain, page.format.tag).join(', ')
  const way = from && wayOf(page, from, fountain)
  return (
    <>
      {way && (
        <p class="with-icon card-way">
          <Icon name="arrow" turn={way.turnOnScreen} />
          {[way.walk, `${way.distance} ${way.direction}`].filter(Boolean).join(' · ')}
        </p>
      )}
      <Answers row={fountain} stages={fountain.stages} />
      <Tags row={fountain} isWaiting={isWaiting} />
      <div class="actions">
        <Directions row={fountain} />
        {fountain.page && (
          <a class="button button-quiet" href={page.fountain(id, true)}>
            {page.text('map.open')}
          </a>
        )}
        <button type="button" class="button button-quiet" onClick={onShare}>
          <Icon name="share" />
          {page.text('map.share')}
        </button>
        <FollowLink id={id} />
      </div>
      {/* A slot that other scripts fill. */}
      <div class="card-more" data-name={page.title(fountain)} />
      {photo && <Photos photos={[photo]} title={page.title(fountain)} />}
      <UserText text={fountain.description} />
      <Amenities row={fountain} label={page.text('waypoint.amenities')} />
      <dl class="stack-2 card-facts">
        <FactRows
          row={fountain}
          isNear={from !== undefined && distanceMetres(from, fountain) < sameClocksMetres}
        />
        {around && (
          <Fact label="waypoint.region">
            <bdi>{around}</bdi>
          </Fact>
        )}
        <Fact label="waypoint.source">
          <bdi>{source ?? page.text('waypoint.sourceHere')}</bdi>{' '}
          <ObjectLinks row={fountain} target="_blank" />
        </Fact>
      </dl>
      <div class="faint">
        {page.text('waypoint.openIn')} <MapApps row={fountain} target="_blank" />
      </div>
    </>
  )
}
