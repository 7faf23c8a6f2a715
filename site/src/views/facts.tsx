import type { ComponentChildren } from 'preact'
import { customFieldsOf } from '../custom-fields.ts'
import { facts } from '../data/facts.ts'
import type { Waypoint } from '../data/records.ts'
import { safeLink } from '../safe-link.ts'
import { shownHours } from '../hours/shown.ts'
import { hoursWords } from '../hours/words.ts'
import { seasonWords } from '../hours/season.ts'
import { mapApps } from '../map/card/apps.ts'
import type { Position } from '../map/page/position.ts'
import { lookupRefs, osmObject, placeOf } from './origin.ts'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'
import { Icon, PersonName, type Person } from './parts.tsx'

/** The facts about a fountain. */
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
  const object = osmObject(row)
  const photo = safeLink(row.image)
  const refs = lookupRefs(row)
  // The object's own tags take precedence over those derived by the registry.
  const tags = Object.entries(row.osm_tags ?? row.derived_tags ?? {})
  return (
    <section class="box">
      <h2 {...page.said('waypoint.facts')} />
      <dl class="facts">
        <div>
          <dt {...page.said('waypoint.position')} />
          <dd>
            <span class="mono" data-copy-source="">{`${place.latitude}, ${place.longitude}`}</span>{' '}
            <button class="text-button no-print" type="button" data-copy="" data-waiting="">
              <Icon name="copy" />
              <span {...page.said('waypoint.copy')} />
              <span class="done" role="status" {...page.said('waypoint.copied')} hidden />
            </button>
          </dd>
        </div>
        {(
          [
            ['waypoint.confirmed', row.last_confirmed],
            ['waypoint.lastListed', row.last_listed],
            ['waypoint.sourceUpdated', row.source_updated],
            ['waypoint.added', row.created_at],
            ['waypoint.updated', row.updated_at],
          ] as const
        ).map(
          ([key, at]) =>
            at && (
              <div key={key}>
                <dt {...page.said(key)} />
                <dd>
                  <time {...page.date(at)} />
                </dd>
              </div>
            ),
        )}
        <div>
          <dt {...page.said('waypoint.addedBy')} />
          <dd>
            <PersonName person={adder} />
          </dd>
        </div>
        {facts.map((fact) => {
          const value = row[fact.column]
          return (
            value && (
              <div key={fact.name}>
                <dt {...page.said(`fact.${fact.name}`)} />
                <dd>{valueOf(page, fact, value, place)}</dd>
              </div>
            )
          )
        })}
        {customFieldsOf(row.custom_properties ?? {}, page.custom).map(({ name, title, text }) => (
          <div key={`custom ${name}`} data-property={name}>
            <dt>
              <bdi>{title}</bdi>
            </dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
        {photo && (
          <div>
            <dt {...page.said('waypoint.photo')} />
            <dd>
              <a href={photo.href} rel="noopener noreferrer nofollow">
                <Icon name="photo" /> {photo.host}
              </a>
            </dd>
          </div>
        )}
        <div>
          <dt {...page.said('waypoint.source')} />
          <dd>
            {row.source ? <bdi>{row.source}</bdi> : <span {...page.said('waypoint.sourceHere')} />}{' '}
            {refs !== '' && <span class="faint mono">{refs}</span>}{' '}
            {object && (
              <span class="osm-object">
                <a class="mono" href={object.href} rel="noopener noreferrer">
                  {object.ref}
                </a>
                {' · '}
                <a href={object.edit} rel="noopener noreferrer nofollow" {...page.said('waypoint.osmEdit')} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt {...page.said('waypoint.license')} />
          <dd>
            <a href={page.address('about/')} data-page="about/">
              {row.license ?? license}
            </a>{' '}
            {row.attribution && <bdi class="faint">{row.attribution}</bdi>}
          </dd>
        </div>
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
        <div class="no-print">
          <dt {...page.said('waypoint.openIn')} />
          <dd>
            <ul class="inline-list">
              {mapApps(place, object?.href).map(({ name, href }) => (
                <li key={name}>
                  <a href={href} rel="noopener noreferrer">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** The value of a fact in the way of its type. */
function valueOf(
  page: Page,
  { name, type }: (typeof facts)[number],
  value: string,
  { longitude }: Position,
): ComponentChildren {
  const { strings, format, now } = page
  if (name === 'openingHours') {
    const words = hoursWords(strings, format, value)
    return (
      <span data-hours={value} data-longitude={longitude}>
        {words === undefined ? (
          <>
            <bdi>{value}</bdi> <span class="faint">({page.text('hours.asIs')})</span>
          </>
        ) : now === undefined ? (
          words
        ) : (
          shownHours(strings, format, value, { longitude })
        )}
      </span>
    )
  }
  if (type === 'season') return <span data-season={value}>{seasonWords(strings, format, value)}</span>
  if (type === 'choice') return <span {...page.saidOr(`fact.${name}.${value}`, value)} />
  return <bdi>{value}</bdi>
}
