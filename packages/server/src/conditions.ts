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
  const { text, logsTotal, version, origin, day, status } = await registry.waypoints.dossier(id)
  const rating = include === undefined ? undefined : await registry.reviews.summary(id)
  // From the end, since only custom fields, which stand before these members, could contain their names.
  const sources = text.lastIndexOf(',"sources":[')
  const logs = text.lastIndexOf(',"logs":[', sources)
  const { members, headers } = keptTermsOf(registry, text.slice(sources, text.lastIndexOf(']') + 1))
  const beside = `,"status":${JSON.stringify(status)}${rating ? `,"rating":${JSON.stringify(rating)}` : ''}`
  const query = `bubblerId=${id}&limit=${pages.logs.max}&offset=${pages.logs.max}`
  const more =
    logsTotal <= pages.logs.max ? '' : `,"moreLogs":${JSON.stringify(`${basePath}/api/logs?${query}`)}`
  const waypoint = text.slice('{"waypoint":{'.length, logs)
  return {
    text: `${opening},"waypoint":{${members}${waypoint}${beside}${text.slice(logs, -1)}${more}}`,
    version,
    origin,
    day,
    headers,
  }
}

/** Licence terms that differ from the registry's, as the first members of a waypoint, and their Link headers. */
interface Terms {
  readonly members: string
  readonly headers: readonly HeaderPair[]
}

const sameTerms: Terms = { members: '', headers: [] }

/** The terms of the sources at the end of a dossier. */
function termsOf({ license }: Registry, sources: string): Terms {
  const { sources: all } = JSON.parse(`{${sources.slice(1)}}`) as {
    readonly sources: readonly WaypointSource[]
  }
  const terms = otherTermsOf(all, license)
  if (terms === undefined) return sameTerms
  return {
    members: `${JSON.stringify(terms).slice(1, -1)},`,
    headers: otherLinks({ license }, [terms.license]),
  }
}

/** Where a source in a dossier goes on with what it says of the waypoint alone. */
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
