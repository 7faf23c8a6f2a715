import type { Registry, Waypoint, WaypointSource } from '@openfountain/core'
import { otherTermsOf, type WaypointCondition, writtenVersion } from '@openfountain/core/internal'
import { pages } from '@openfountain/core/rules'
import { type Call, Reply } from './endpoint.ts'
import { quoted, type Versioned, versionsIn, versionTag } from './http/entity-tag.ts'
import type { HeaderPair } from './http/headers.ts'
import { malformed } from './problem.ts'
import { otherLinks } from './row-terms.ts'

/** Conditional writes of a waypoint (RFC 9110, section 13), and their entity tags. */

type Mounted = Pick<Call<unknown, unknown>, 'registry' | 'basePath'>

/**
 * The response of GET /api/waypoints/{id}, with its optional parts, as the text of the whole body.
 *
 * @throws RegistryError NOT_FOUND
 */
export async function waypointResource(
  { registry, basePath, opening }: Pick<Call<unknown, unknown>, 'registry' | 'basePath' | 'opening'>,
  id: number,
  { include }: { readonly include?: 'rating' | undefined } = {},
): Promise<Versioned> {
  const { waypoint, logs, sources, logsTotal, version, origin, day, status } =
    await registry.waypoints.dossier(id)
  const rating = include === undefined ? undefined : await registry.reviews.summary(id)
  const { members, headers } = keptTermsOf(registry, sources)
  const beside = `,"status":${JSON.stringify(status)}${rating ? `,"rating":${JSON.stringify(rating)}` : ''}`
  const more = logsTotal <= pages.logs.max ? '' : `,"moreLogs":${JSON.stringify(earlierLogs(basePath, id))}`
  const after = `,"logs":[${logs}],"sources":[${sources}],"logsTotal":${logsTotal}${more}}`
  return {
    text: `${opening},"waypoint":{${members}${waypoint.slice(1)}${beside}${after}`,
    version,
    origin,
    day,
    headers,
  }
}

/** Path and query of the entries about a waypoint before its newest ones. */
const earlierLogs = (basePath: string, id: number): string =>
  `${basePath}/api/logs?bubblerId=${id}&limit=${pages.logs.max}&offset=${pages.logs.max}`

/** Licence terms that differ from the registry's, as the first members of a waypoint, and their Link headers. */
interface Terms {
  readonly members: string
  readonly headers: readonly HeaderPair[]
}

const sameTerms: Terms = { members: '', headers: [] }

/** The terms of the sources in a dossier. */
function termsOf({ license }: Registry, sources: string): Terms {
  const terms = otherTermsOf(JSON.parse(`[${sources}]`) as WaypointSource[], license)
  if (terms === undefined) return sameTerms
  return {
    members: `${JSON.stringify(terms).slice(1, -1)},`,
    headers: otherLinks({ license }, [terms.license]),
  }
}

/** Where the text of a source goes on with what it says of the waypoint alone. */
const ofWaypoint = /,"(?:ref|tags|firstSeen)":/u
/** Most sources whose terms are kept. */
const mostSources = 1000
/** The terms of waypoints with a single source, by the text of the source. */
const termsBySource = new WeakMap<Registry, Map<string, Terms>>()

/** As `termsOf`; most waypoints have one of a few sources, whose terms take longer to find than the waypoint itself. */
function keptTermsOf(registry: Registry, sources: string): Terms {
  const own = sources.search(ofWaypoint)
  if (own < 0) return sameTerms
  if (sources.includes('},{')) return termsOf(registry, sources)
  let kept = termsBySource.get(registry)
  if (kept === undefined || kept.size === mostSources) termsBySource.set(registry, (kept = new Map()))
  const source = sources.slice(0, own)
  let terms = kept.get(source)
  if (terms === undefined) kept.set(source, (terms = termsOf(registry, sources)))
  return terms
}

/** The condition in the If-Match header of a request. @throws Problem INVALID_INPUT for a malformed header */
export async function conditionOf(registry: Registry, { headers }: Request): Promise<WaypointCondition> {
  const ifMatch = headers.get('if-match')
  if (ifMatch === null) return {}
  const origin = await registry.changes.origin()
  try {
    const ifVersion = versionsIn(ifMatch, origin)
    return ifVersion === undefined ? {} : { ifVersion }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformed('If-Match', 'must be * or entity tags in double quotes, with commas between them')
  }
}

/**
 * The response to a write, with the entity tag of the version it made. The client can write again with that tag; a
 * later write by somebody else has another version.
 */
export async function written(
  { registry }: Mounted,
  waypoint: Waypoint,
  version = writtenVersion(waypoint),
): Promise<Reply> {
  const origin = await registry.changes.origin()
  return new Reply(waypoint, [['etag', quoted(versionTag({ version, origin }))]])
}

/** The response to a repeated write: the waypoint as it is now. @throws RegistryError NOT_FOUND */
export async function writtenBefore(call: Mounted, id: number): Promise<Reply> {
  const { text, version } = await call.registry.waypoints.dossier(id)
  const { waypoint } = JSON.parse(text) as { waypoint: Waypoint }
  return written(call, waypoint, version)
}
