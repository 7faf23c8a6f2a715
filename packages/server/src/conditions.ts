import type { Registry, Waypoint, WaypointCondition, WaypointSource } from '@openfountain/core'
import { otherTermsOf, writtenVersion } from '@openfountain/core/internal'
import { pages } from '@openfountain/core/rules'
import { type Call, Reply } from './endpoint.ts'
import { quoted, type Versioned, versionsIn, versionTag } from './http/entity-tag.ts'
import { malformed } from './problem.ts'
import { otherLinks } from './row-terms.ts'

/** Conditional writes of a waypoint (RFC 9110, section 13), and their entity tags. */

type Mounted = Pick<Call<unknown, unknown>, 'registry' | 'basePath'>

/** The response of GET /api/waypoints/{id}, with its optional parts. @throws RegistryError NOT_FOUND */
export async function waypointResource(
  { registry, basePath }: Mounted,
  id: number,
  { include }: { readonly include?: 'rating' | undefined } = {},
): Promise<Versioned> {
  const found = await registry.waypoints.dossier(id)
  const { status, version, origin, day } = found
  const { text, headers } = licensed(registry, found.text)
  // Inserted between the waypoint and its log.
  const at = text.lastIndexOf(',"logs":[')
  const rating = include === undefined ? undefined : await registry.reviews.summary(id)
  const beside = `,"status":${JSON.stringify(status)}${rating ? `,"rating":${JSON.stringify(rating)}` : ''}`
  const dossier = { text: text.slice(0, at) + beside + text.slice(at), version, origin, day, headers }
  if (found.logsTotal <= pages.logs.max) return dossier
  const query = `bubblerId=${id}&limit=${pages.logs.max}&offset=${pages.logs.max}`
  const more = `,"moreLogs":${JSON.stringify(`${basePath}/api/logs?${query}`)}}`
  return { ...dossier, text: dossier.text.slice(0, -1) + more }
}

/** Adds the licence terms of a waypoint's sources to its dossier, and the Link headers that name them. */
function licensed(registry: Registry, text: string): Pick<Versioned, 'text' | 'headers'> {
  const sources = text.slice(
    text.lastIndexOf(',"sources":[') + ',"sources":'.length,
    text.lastIndexOf(',"logsTotal":'),
  )
  const terms =
    sources === '[]' ? undefined : otherTermsOf(JSON.parse(sources) as WaypointSource[], registry.license)
  if (terms === undefined) return { text }
  const opening = '{"waypoint":{'
  return {
    text: `${opening}${JSON.stringify(terms).slice(1, -1)},${text.slice(opening.length)}`,
    headers: otherLinks(registry, [terms.license]),
  }
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
