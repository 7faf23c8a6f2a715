import type { ComponentChildren } from 'preact'
import type { Waypoint } from '../data/records.ts'
import type { Position } from '../map/page/position.ts'
import { mapQuery } from '../map/query.ts'
import type { Nameable, Town } from '../naming.ts'
import type { Stages } from '../status/stage.ts'
import type { TextKey } from '../texts.ts'
import { EntryItem, type ShownEntry } from './entry.tsx'
import { Answers, Facts } from './facts.tsx'
import { directionsLink, webDirections } from './map-apps.ts'
import { placeOf } from './origin.ts'
import { usePage } from './on-page.tsx'
import {
  FountainName,
  Icon,
  owned,
  Stars,
  SubjectName,
  Tag,
  UserText,
  type Person,
  type Subject,
  type TagProps,
  NameOfPlace,
} from './parts.tsx'
import { Photos } from './photos.tsx'
import { type ShownPhoto } from '../photo.ts'
import { Reviews, type ShownReview } from './reviews.tsx'

export interface Around {
  readonly kind: 'country' | 'subdivision' | 'town' | 'region'
  readonly name: string
  /** The name of a subdivision in the site's default language. */
  readonly label?: string
  readonly town?: Town
  /** Its part of an address; absent where it is not known to have a page. */
  readonly slug?: string
}

/** Everything that the page of a fountain shows, in any language. */
export interface FountainData {
  readonly row: Waypoint
  readonly tag: string
  readonly license: string
  readonly stages: Stages
  /** The largest first. */
  readonly within: readonly Around[]
  readonly adder: Person
  /** The best first; absent where there are none. */
  readonly photos?: readonly ShownPhoto[]
  /** Newest first. */
  readonly reviews: readonly ShownReview[]
  /** Newest first. */
  readonly history: readonly ShownEntry[]
  readonly hasMore: boolean
  /** Whether the site has what proves its history. */
  readonly isProven?: true
  /** Present once it is gone, with the fountain that it was merged into. */
  readonly end?: { readonly into?: Subject }
}

export function Fountain({
  data,
  surroundings,
  isMoved = false,
}: {
  readonly data: FountainData
  /** The plan and the fountains nearby, which are only built. */
  readonly surroundings?: () => ComponentChildren
  /** Whether it was moved since the site was built: the surroundings are then those of another place. */
  readonly isMoved?: boolean
}) {
  const page = usePage()
  const { row, license, stages, within, adder, photos = [], reviews, history, hasMore, isProven, end } = data
  return (
    <article class="waypoint" data-gone={end && ''}>
      <header class="page-head waypoint-head">
        {within.length > 0 && <Crumbs within={within} />}
        <h1>
          <span class="kind">
            <Icon name={page.kindIcon(row)} />
          </span>
          <FountainName fountain={row} />
        </h1>
        <Answers row={row} stages={stages} />
        <Tags row={row} reviews="#reviews" />
        <Ways row={row} />
        {page.hasForms && <Offers row={row} />}
      </header>
      {end && (
        <p class="notice live-end" role="status">
          <span {...page.said(end.into ? 'waypoint.mergedInto' : 'live.gone')} />
          {end.into && (
            <>
              {' '}
              <SubjectName subject={end.into} />
            </>
          )}
        </p>
      )}
      <div class="waypoint-body">
        <div class="waypoint-main">
          <Photos photos={photos} title={page.title(row)} hasReports />
          <UserText text={row.description} class="lead text-user" />
          {row.verified && <p class="faint" {...page.said('waypoint.verifiedHint')} />}
          {row.amenities.length > 0 && (
            <section class="section">
              <h2 {...page.said('waypoint.amenities')} />
              <Amenities row={row} />
            </section>
          )}
          {!isMoved && <div class="surroundings" {...owned(page, () => surroundings?.())} />}
          <Reviews reviews={reviews} title={page.title(row)} />
        </div>
        <div class="stack-4 waypoint-side">
          <Facts row={row} license={license} adder={adder} />
          {history.length > 0 && (
            <section class="box" id="history">
              <h2 {...page.said('waypoint.history')} />
              <ol>
                {history.map((entry) => (
                  <EntryItem key={entry.id} entry={entry} />
                ))}
              </ol>
              {hasMore && <p class="faint" {...page.said('waypoint.historyMore')} />}
              {isProven && <ProofLink id={row.id} />}
            </section>
          )}
        </div>
      </div>
    </article>
  )
}

export function Crumbs({ within }: { readonly within: readonly Around[] }) {
  const page = usePage()
  return (
    <nav
      class="row faint crumbs"
      aria-label={page.text('nav.regions')}
      data-t-label={page.key('nav.regions')}
    >
      <a href={page.address('regions/')} data-page={page.key('regions/')} {...page.said('nav.regions')} />
      {within.map((one) => (
        <>
          <Icon name="next" />
          <Crumb around={one} />
        </>
      ))}
    </nav>
  )
}

function Crumb({ around }: { readonly around: Around }) {
  const page = usePage()
  const { kind, name, label, slug, town } = around
  const isNameless = name === ''
  const text =
    kind === 'country' ? page.format.country(name) : isNameless ? page.text('site.noRegion') : (label ?? name)
  const shown = (
    <bdi
      data-t={isNameless ? page.key('site.noRegion') : undefined}
      data-country={kind === 'country' ? page.key(name) : undefined}
    >
      {town ? <NameOfPlace place={town} /> : text}
    </bdi>
  )
  if (slug === undefined) return shown
  const path = `regions/${slug}/`
  return page.hasRegions ? (
    <a href={page.address(path)} data-page={page.key(path)}>
      {shown}
    </a>
  ) : (
    <a href={`${page.base}${path}`}>{shown}</a>
  )
}

export function Amenities({
  row,
  label,
}: {
  readonly row: Pick<Waypoint, 'amenities'>
  /** Where no heading is above it. */
  readonly label?: string
}) {
  const page = usePage()
  return (
    row.amenities.length > 0 && (
      <ul class={label === undefined ? 'row small amenities' : 'row small'} aria-label={label}>
        {row.amenities.map((key) => (
          <li key={key} class={label === undefined ? 'surface with-icon' : 'with-icon'}>
            <Icon name={page.amenityIcon(key)} />
            <span {...page.saidOr(`amenity.${key}`, key)} />
          </li>
        ))}
      </ul>
    )
  )
}

interface TagsProps {
  readonly row: Pick<Waypoint, 'verified' | 'approved' | 'source' | 'rating' | 'review_count'>
  /** Whether a change of the visitor is unsent. */
  readonly isWaiting?: boolean | undefined
  readonly reviews?: string
}

/** One row: how sure it is that a fountain is there, and how it was rated. */
export function Tags({ row, isWaiting, reviews }: TagsProps) {
  const page = usePage()
  const { rating, review_count: count } = row
  const known = isWaiting
    ? standings.waiting
    : row.verified
      ? standings.verified
      : row.source
        ? undefined
        : row.approved
          ? standings.notVerified
          : standings.notApproved
  return (
    <ul class="tags">
      {known && (
        <li>
          <Tag {...known}>
            <span {...page.said(known.text)} />
          </Tag>
        </li>
      )}
      {typeof rating === 'number' && (
        <li class="with-icon small">
          <Stars rating={rating} />
          <span>
            <strong {...page.number(rating)} />
            {' · '}
            {reviews === undefined ? (
              <span {...page.counted('reviews', count)} />
            ) : (
              <a href={reviews} {...page.counted('reviews', count)} />
            )}
          </span>
        </li>
      )}
    </ul>
  )
}

/** How a fountain stands; one that a source lists is neither waiting for anybody nor doubtful. */
const standings = {
  waiting: { icon: 'waiting', tone: 'warm', text: 'live.waiting' },
  verified: { icon: 'verified', tone: 'verified', text: 'waypoint.verified' },
  notVerified: { icon: 'unverified', tone: undefined, text: 'waypoint.notVerified' },
  notApproved: { icon: 'waiting', tone: 'warm', text: 'waypoint.notApproved' },
} as const satisfies Readonly<Record<string, Omit<TagProps, 'children'> & { readonly text: TextKey }>>

/** The way to a fountain, with the apps of the device once a script knows them. */
export function Directions({ row }: { readonly row: Nameable & Position }) {
  const page = usePage()
  const place = placeOf(row)
  const name = page.title(row)
  return (
    <a
      class="button"
      href={
        page.userAgent === undefined
          ? webDirections(place)
          : directionsLink({ ...place, name }, page.userAgent)
      }
      data-directions={`${place.latitude},${place.longitude}`}
      data-name={name}
      rel="noopener noreferrer"
    >
      <Icon name="directions" />
      <span {...page.said('waypoint.directions')} />
    </a>
  )
}

export function FollowLink({ id }: { readonly id: number }) {
  const page = usePage()
  const query = `?fountain=${id}`
  if (!page.hasForms) return null
  return (
    <a
      class="button button-quiet"
      href={page.address(`following/${query}`)}
      data-page="following/"
      data-query={query}
    >
      <Icon name="bell" />
      <span {...page.said('waypoint.follow')} />
    </a>
  )
}

/** To what proves histories; a script proves this one in its place. */
function ProofLink({ id }: { readonly id: number }) {
  const page = usePage()
  const query = '#log'
  return (
    <div
      class="proof stack-2 no-print"
      {...owned(page, () => (
        <a
          class="small"
          href={page.address(`data/${query}`)}
          data-page="data/"
          data-query={query}
          data-prove={id}
          {...page.said('proof.ask')}
        />
      ))}
    />
  )
}

function Ways({ row }: { readonly row: Waypoint }) {
  const page = usePage()
  const query = mapQuery({ ...placeOf(row), zoom: 16 }, row.id)
  return (
    <div class="actions no-print">
      <Directions row={row} />
      <a class="button button-quiet" href={page.address(query)} data-page="" data-query={query}>
        <Icon name="map" />
        <span {...page.said('waypoint.showOnMap')} />
      </a>
      <button class="button button-quiet" type="button" data-share="" data-waiting="">
        <Icon name="share" />
        <span {...page.said('map.share')} />
        <span class="done" role="status" {...page.said('map.linkCopied')} hidden />
      </button>
      <FollowLink id={row.id} />
    </div>
  )
}

/** Buttons to confirm, report and improve the fountain. */
function Offers({ row }: { readonly row: Waypoint }) {
  const page = usePage()
  const button = { type: 'button', 'data-id': row.id, 'data-needs-script': '' } as const
  return (
    <>
      <div class="actions observe no-print">
        {(['works', 'problem'] as const).map((seen) => (
          <button
            key={seen}
            {...button}
            class="button button-quiet"
            data-contribute={seen}
            data-name={row.name}
          >
            <Icon name={seen === 'works' ? 'works' : 'broken'} />
            <span {...page.said(`contribute.observe.${seen}`)} />
          </button>
        ))}
      </div>
      <div
        class="card-more no-print"
        {...owned(page, () => (
          <button
            {...button}
            class="text-button"
            data-contribute="choose"
            data-name={page.title(row)}
            {...page.said('contribute.improve')}
          />
        ))}
      />
    </>
  )
}
