import type { ComponentChildren } from 'preact'
import { customFieldsOf } from '../custom-fields.ts'
import { facts } from '../data/facts.ts'
import type { Waypoint } from '../data/records.ts'
import { safeLink } from '../safe-link.ts'
import type { TextKey } from '../texts.ts'
import { shownHours } from '../hours/shown.ts'
import { hoursWords } from '../hours/words.ts'
import { seasonWords } from '../hours/season.ts'
import type { Stages } from '../status/stage.ts'
import type { Position } from '../map/page/position.ts'
import { mapApps } from './map-apps.ts'
import { lookupRefs, osmObject, placeOf } from './origin.ts'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'
import { Icon, PersonName, type Person } from './parts.tsx'
import { Status } from './stage.tsx'

export function Fact({
  label,
  class: name,
  children,
}: {
  readonly label: TextKey
  readonly class?: string | undefined
  readonly children: ComponentChildren
}) {
  return (
    <div class={name}>
      <dt {...usePage().said(label)} />
      <dd>{children}</dd>
    </div>
  )
}

export function Facts({
  row,
  license,
  adder,
}: {
  readonly row: Waypoint
  /** Of the registry. */
  readonly license: string
  readonly adder: Person
}) {
  const page = usePage()
  const place = placeOf(row)
  const photo = safeLink(row.image)
  const refs = lookupRefs(row)
  // The object's own tags take precedence over those derived by the registry.
  const tags = Object.entries(row.osm_tags ?? row.derived_tags ?? {})
  const dates = {
    'waypoint.confirmed': row.last_confirmed,
    'waypoint.lastListed': row.last_listed,
    'waypoint.sourceUpdated': row.source_updated,
    'waypoint.added': row.created_at,
    'waypoint.updated': row.updated_at,
  }
  return (
    <section class="box">
      <h2 {...page.said('waypoint.facts')} />
      <dl class="facts stack-3">
        <Fact label="waypoint.position">
          <span class="mono" data-copy-source="">{`${place.latitude}, ${place.longitude}`}</span>{' '}
          <button class="text-button no-print" type="button" data-copy="" data-waiting="">
            <Icon name="copy" />
            <span {...page.said('waypoint.copy')} />
            <span class="done" role="status" {...page.said('waypoint.copied')} hidden />
          </button>
        </Fact>
        {Object.entries(dates).map(
          ([label, at]) =>
            at && (
              <Fact key={label} label={label as keyof typeof dates}>
                <time {...page.date(at)} />
              </Fact>
            ),
        )}
        {row.source && !row.last_listed && (
          <Fact label="waypoint.lastListed">
            <span {...page.said('status.undated')} />
          </Fact>
        )}
        <Fact label="waypoint.addedBy">
          <PersonName person={adder} />
        </Fact>
        <FactRows row={row} />
        {customFieldsOf(row.custom_properties ?? {}, page.custom).map(({ name, title, text }) => (
          <div key={`custom ${name}`} data-property={name}>
            <dt>
              <bdi>{title}</bdi>
            </dt>
            <dd>
              <bdi lang="">{text}</bdi>
            </dd>
          </div>
        ))}
        {photo && (
          <Fact label="waypoint.image">
            <a class="with-icon" href={photo.href} rel="noopener noreferrer nofollow">
              {page.imageHosts?.includes(photo.host) ? (
                <img
                  class="picture"
                  src={photo.href}
                  alt={photo.host}
                  loading="lazy"
                  decoding="async"
                  referrerpolicy="no-referrer"
                />
              ) : (
                <>
                  <Icon name="photo" /> {photo.host}
                </>
              )}
            </a>
          </Fact>
        )}
        <Fact label="waypoint.source">
          {row.source ? <bdi>{row.source}</bdi> : <span {...page.said('waypoint.sourceHere')} />}{' '}
          {refs !== '' && <span class="faint mono">{refs}</span>} <ObjectLinks row={row} />
        </Fact>
        <Fact label="waypoint.license">
          <a href={page.address('about/')} data-page="about/">
            {row.license ?? license}
          </a>{' '}
          {row.attribution && <bdi class="faint">{row.attribution}</bdi>}
        </Fact>
        {tags.length > 0 && (
          <div class="no-print">
            <dt {...page.said(row.osm_tags ? 'waypoint.osm' : 'waypoint.osmDerived')} />
            <dd class="osm">
              {tags.map(([key, value]) => (
                <code key={key}>
                  {key}={value}
                </code>
              ))}
            </dd>
          </div>
        )}
        <Fact class="no-print" label="waypoint.openIn">
          <MapApps row={row} />
        </Fact>
      </dl>
      <p class="no-print">
        <a
          href={page.address(`plates/?id=${row.id}`)}
          data-page={page.key('plates/')}
          data-query={`?id=${row.id}`}
          {...page.said('waypoint.plate')}
        />
      </p>
    </section>
  )
}

type Factual = Position & Partial<Pick<Waypoint, (typeof facts)[number]['column']>>

/** The facts that everybody asks for first, at the top of card and page. */
const answered = ['drinkable', 'access'] as const

interface AnswersProps {
  readonly row: Pick<Waypoint, (typeof answered)[number] | 'source' | 'last_listed'>
  readonly stages: Stages
}

/** State, drinkability, access and the last known date, at the top of card and page. */
export function Answers({ row, stages }: AnswersProps) {
  const page = usePage()
  const { source, last_listed: listed } = row
  const confirmed = stages.find((stage) => stage.confirmed !== undefined)?.confirmed
  // Without a source, the last report counts.
  const [{ people = 0, since } = {}] = stages
  const known = confirmed ?? (!source && people > 0 ? since : undefined)
  return (
    <div class="stack-2">
      <Status stages={stages} />
      <dl class="small answers">
        {answered.map((name) => {
          const value = row[name] ?? 'unknown'
          const known =
            page.find(`fact.${name}.${value}`) === undefined ? 'access.unknown' : `${name}.${value}`
          return (
            <Fact key={name} label={`fact.${name}`} class={unwelcome.has(value) ? 'unwelcome' : undefined}>
              <span {...page.saidOr(`fact.${known}`, value)} />
            </Fact>
          )
        })}
        <Fact label="waypoint.lastKnown">
          {known && <time {...page.date(known)} />}
          {known && source && ' · '}
          {source && (
            <>
              <bdi>{source}</bdi>
              {', '}
              <span {...page.said(listed ? 'waypoint.listed' : 'status.undated')} />
              {listed && ' '}
              {listed && <time {...page.date(listed)} />}
            </>
          )}
          {!known && !source && <span {...page.said('status.undated')} />}
        </Fact>
      </dl>
    </div>
  )
}

/** Answers that send a walker on. */
const unwelcome: ReadonlySet<string> = new Set(['no', 'private'])

/** The known facts of a fountain, without those at the top. */
export function FactRows({
  row,
  isNear = false,
}: {
  readonly row: Factual
  /** Whether the visitor is so near that their clock shows its local time. */
  readonly isNear?: boolean
}) {
  const page = usePage()
  const others = facts.filter(({ name }) => !(answered as readonly string[]).includes(name))
  return others.map((fact) => {
    const value = row[fact.column]
    return (
      value && (
        <Fact key={fact.name} label={`fact.${fact.name}`}>
          {valueOf(page, fact, value, { longitude: placeOf(row).longitude, isNear })}
        </Fact>
      )
    )
  })
}

interface Linked {
  /** Where the links open; default in the same tab. */
  readonly target?: '_blank'
}

export function ObjectLinks({ row, target }: Linked & { readonly row: Parameters<typeof osmObject>[0] }) {
  const page = usePage()
  const object = osmObject(row)
  if (!object) return null
  const { ref, href, edit } = object
  return (
    <span class="osm-object">
      <a class="mono" href={href} rel="noopener noreferrer" target={target}>
        {ref}
      </a>
      {' · '}
      <a href={edit} rel="noopener noreferrer nofollow" target={target} {...page.said('waypoint.osmEdit')} />
    </span>
  )
}

/** The map apps that can open a fountain. */
export function MapApps({
  row,
  target,
}: Linked & { readonly row: Position & Parameters<typeof osmObject>[0] }) {
  return (
    <ul class="row">
      {mapApps(placeOf(row), osmObject(row)?.href).map(({ name, href }) => (
        <li key={name}>
          <a href={href} rel="noopener noreferrer" target={target}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function valueOf(
  page: Page,
  { name, type }: (typeof facts)[number],
  value: string,
  at: Parameters<typeof shownHours>[3],
): ComponentChildren {
  const { strings, format, now } = page
  if (name === 'openingHours') {
    const words = hoursWords(strings, format, value)
    return (
      <span data-hours={value} data-longitude={at.longitude}>
        {words === undefined ? (
          <>
            <bdi>{value}</bdi> <span class="faint">({page.text('hours.asIs')})</span>
          </>
        ) : now === undefined ? (
          words
        ) : (
          shownHours(strings, format, value, at)
        )}
      </span>
    )
  }
  if (type === 'season') return <span data-season={value}>{seasonWords(strings, format, value)}</span>
  if (type === 'choice') return <span {...page.saidOr(`fact.${name}.${value}`, value)} />
  return <bdi lang="">{value}</bdi>
}
