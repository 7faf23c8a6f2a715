import {
  FoundWaypoint,
  NearDuplicate,
  Photo,
  Waypoint,
  type WaypointFilterInput,
  WaypointInput,
  HistoryEntry,
  type Registry,
  RatingSummary,
  Status,
  WaypointPlace,
  WaypointSource,
  WaypointPatch,
} from '@openfountain/core'
import { duplicates, limits, pages, routes } from '@openfountain/core/rules'
import { z } from 'zod'
import {
  otherTermsOf,
  passedText,
  routeIn,
  served,
  type WaypointCondition,
  when,
  writtenVersion,
} from '@openfountain/core/internal'
import {
  Page,
  Reply,
  type Result,
  endpoint,
  type Endpoint,
  degrees,
  integerOr,
  idsIn,
  made,
  metres,
  nextPage,
  oneOf,
  someOf,
  words,
  deletionReason,
  pathId,
  type Call,
} from '../endpoint.ts'
import { type WaypointFormat, waypointFormats } from '../formats.ts'
import { TextStream } from '../http/text-stream.ts'
import { jsonList } from '../list-maker.ts'
import { malformed } from '../problem.ts'
import { linksIn, otherLicenses, otherLinks, otherTerms, rowTerms } from '../row-terms.ts'
import { filterOf, Narrowing } from '../waypoint-filter.ts'
import type { EndpointContext } from '../options.ts'
import { located } from './photos.ts'
import { quoted, type Versioned, versionsIn, versionTag } from '../http/response.ts'
import { type HeaderPair, inert, noCache } from '../http/headers.ts'

const tag = 'Waypoints'
const read = { tag, who: 'anyone' } as const
/** Most waypoints of a list returned as a whole; longer ones are streamed, as heavy work. */
const shortList = 250

export function waypointEndpoints({ registry, options, lists }: EndpointContext): readonly Endpoint[] {
  const formats = options.formats ?? waypointFormats

  /** A streamed list. Its content is not known yet, so the Link headers name the licences of all sources. */
  async function inPieces(stream: TextStream): Promise<Reply> {
    return new Reply(stream, otherLinks(registry, await otherLicenses(registry)))
  }

  async function list(
    call: Pick<Call<unknown, object>, 'request' | 'opening'>,
    filter: WaypointFilterInput,
  ): Promise<Result> {
    const { request, opening: start } = call
    // One extra shows whether the list is longer.
    const limit = Math.min(filter.limit ?? Number.POSITIVE_INFINITY, shortList + 1)
    const texts: string[] = []
    for await (const page of served(registry).waypoints({ ...filter, limit })) texts.push(...page)
    const opening = `"author":${JSON.stringify(registry.author)},"waypoints":[`
    if (texts.length <= shortList) {
      const text = `{${opening}${texts.join(',')}]}`
      const isLicensed = (await otherLicenses(registry)).length > 0
      const next = filter.near === undefined ? nextPage({ request, query: filter }, idsIn(texts)) : []
      return new Reply(text, [...(isLicensed ? linksIn(registry, text) : []), ...next])
    }
    const task = { list: 'waypoints', filter, opening: `${start},${opening}` } as const
    return inPieces(new TextStream(lists?.pieces(task) ?? jsonList(registry, task)))
  }

  function formatted(format: WaypointFormat, filter: WaypointFilterInput): TextStream {
    const { module, mediaType } = format
    const fromThread =
      module === undefined
        ? undefined
        : lists?.pieces({ list: 'formatted waypoints', filter, module, mediaType })
    return new TextStream(fromThread ?? format.text(registry, filter), mediaType)
  }

  return [
    endpoint({
      ...read,
      route: 'GET /api/waypoints',
      name: 'listWaypoints',
      summary: 'All waypoints, by id',
      description: 'Every parameter narrows. The Accept header chooses another format than JSON.',
      query: Narrowing,
      success: {
        description: 'The waypoints; nearest first with `near`',
        body: z.object({ author: z.string(), waypoints: z.array(ListedWaypoint) }),
        media: Object.fromEntries(formats.map(({ mediaType, description }) => [mediaType, description])),
      },
      // Other formats have the columns of exports, which include the state.
      isOfDay: ({ status, usable }, media) =>
        (status ?? usable) !== undefined || formats.some(({ mediaType }) => mediaType === media),
      run: async (call) => {
        const { query, media } = call
        const filter = filterOf(query)
        // The list thread only reads, so states are brought up to date here.
        if ((filter.status ?? filter.usable) !== undefined) await registry.observations.age()
        const format = formats.find(({ mediaType }) => mediaType === media)
        return format === undefined ? list(call, filter) : inPieces(formatted(format, filter))
      },
    }),
    endpoint({
      route: 'POST /api/waypoints',
      name: 'createWaypoint',
      tag,
      summary: 'Add a waypoint',
      description:
        'Users need enough XP and earn some. `approved`, `verified` and `addedByUserId` count only from API tokens. With `unlessNear` it is refused with 409 `DUPLICATE` when there is another waypoint that near; `details.candidates` has those as `GET /api/waypoints/near-duplicates` returns them.',
      who: 'contributor',
      query: z.object({
        unlessNear: metres(
          duplicates.farthestMetres,
          'Only when no other waypoint is within so many metres',
        ).optional(),
      }),
      body: { schema: WaypointInput },
      success: { status: 201, description: 'The waypoint', body: Waypoint, located: true },
      errors: ['INVALID_COORDINATES', 'INSUFFICIENT_XP', 'DUPLICATE', 'RATE_LIMITED'],
      run: async (call) => {
        const { registry, query, body, actor } = call
        return written(
          call,
          await registry.waypoints.create(ofRegistry<WaypointInput>(registry, body), actor, query),
        )
      },
      repeated: (call, { subject }) => writtenBefore(call, Number(subject)),
    }),
    endpoint({
      ...read,
      route: 'GET /api/waypoints/search',
      name: 'searchWaypoints',
      summary: 'Waypoints by the words in their name, description and region',
      description:
        'Case and accents do not matter. Every word must be found: anywhere in the name (words of three or more characters, Chinese, Japanese and Korean of any length), or at the beginning of a word in name, description or region. Names that begin with the query come first, then names that contain it, then the rest. Of words that stand in very many waypoints the newest thousand are looked at.',
      query: z.object({
        q: words(limits.waypointName, 'What to look for'),
        limit: integerOr(pages.search.default, { min: 1, max: pages.search.max }, 'How many'),
        offset: integerOr(0, {}, 'How many to leave out at the beginning'),
      }),
      success: {
        description: 'What was found, which may be nothing',
        body: z.object({ waypoints: z.array(FoundWaypoint.extend(rowTerms)) }),
      },
      run: async ({ registry, query }) => {
        const found = await registry.waypoints.search(query)
        const terms = await otherTerms(
          registry,
          found.map(({ id }) => id),
        )
        const waypoints = found.map((waypoint) => ({ ...waypoint, ...terms.get(waypoint.id) }))
        return new Reply(
          { waypoints },
          otherLinks(
            registry,
            [...terms.values()].map(({ license }) => license),
          ),
        )
      },
    }),
    endpoint({
      ...read,
      route: 'GET /api/waypoints/near-duplicates',
      name: 'listNearDuplicates',
      summary: 'Waypoints that may be the same fountain as a new one',
      description: `Those within ${duplicates.nearMetres} m, at most the nearest ${duplicates.compared}, the likeliest first. \`score\` is 1 at no distance and four fifths of that with each 30 m between equal names, each 3 m when one of them has no name of its own, and each metre, from 0.75, between different names. From 0.8 on they are the same, as imports see it; below 0.5 they are two.`,
      query: z.object({
        lat: degrees(limits.latitude, 'The latitude of the new one'),
        lng: degrees(limits.longitude, 'The longitude of the new one'),
        name: z
          .string()
          .max(limits.waypointName, { error: `must have at most ${limits.waypointName} characters` })
          .meta({ description: 'The name of the new one, if it has one' })
          .optional(),
      }),
      success: {
        description: 'The candidates, which may be none',
        body: z.object({ candidates: z.array(NearDuplicate) }),
      },
      errors: ['INVALID_COORDINATES'],
      run: async ({ registry, query: { lat, lng, name } }) => ({
        candidates: await registry.waypoints.nearDuplicates({ latitude: lat, longitude: lng, name }),
      }),
    }),
    endpoint({
      ...read,
      route: 'POST /api/waypoints/along',
      name: 'findAlong',
      summary: 'Waypoints along a route, in its order',
      description: `The body is a GPX file, GeoJSON of lines, or \`{ "polyline": … }\` encoded with five digits: at most ${routes.points} points and ${routes.metres / 1000} km. Each waypoint comes once, where the route passes it nearest. Nothing of the route is kept.`,
      query: Passing,
      body: { schema: Route, gpx: true },
      success: {
        description: 'The waypoints, each with metres from the start (`along`) and beside the route (`off`)',
        body: z.object({ waypoints: z.array(PassedWaypoint) }),
        media: {
          'application/geo+json': 'Features with `along` and `off`',
          'application/gpx+xml': 'GPX 1.1',
        },
      },
      run: async ({ registry, query, body, media }) => {
        const { within, format, ...narrowing } = query
        const found = await registry.waypoints.along(routeIn(body), { ...filterOf(narrowing), within })
        const terms = await otherTerms(
          registry,
          found.map(({ waypoint }) => waypoint.id),
        )
        const waypoints = found.map(({ waypoint, ...at }) => ({
          waypoint: { ...waypoint, ...terms.get(waypoint.id) },
          ...at,
        }))
        const links = otherLinks(
          registry,
          [...terms.values()].map(({ license }) => license),
        )
        const wanted = format ?? { 'application/geo+json': 'geojson', 'application/gpx+xml': 'gpx' }[media]
        if (wanted !== 'geojson' && wanted !== 'gpx') return new Reply({ waypoints }, links)
        const type = wanted === 'gpx' ? 'application/gpx+xml' : 'application/geo+json'
        return new Page(passedText(wanted, waypoints, registry), type, [...inert, noCache, ...links])
      },
    }),
    ...waypointByIdEndpoints,
  ]
}

const {
  bbox: _bbox,
  near: _near,
  radius: _radius,
  limit: _limit,
  after: _after,
  ...filters
} = Narrowing.shape
const Passing = z.object({
  ...filters,
  within: metres(
    routes.withinMetres.max,
    'Within so many metres of the route; 200 when not given',
  ).optional(),
  format: oneOf(['json', 'geojson', 'gpx'], 'The format, instead of the Accept header').optional(),
})

const Route = z
  .object({
    polyline: z.string().optional().meta({ description: 'An encoded polyline of five digits' }),
    type: z.string().optional().meta({ description: 'That of GeoJSON' }),
    coordinates: z.array(z.unknown()).optional(),
    geometry: z.unknown().optional(),
    features: z.array(z.unknown()).optional(),
  })
  .meta({ id: 'Route', description: 'GeoJSON of lines, or an encoded polyline' })

const ListedWaypoint: z.ZodObject = Waypoint.extend({
  ...rowTerms,
  metres: z.number().min(0).optional().meta({ description: 'How far it is from `near`, in metres' }),
}).meta({ id: 'ListedWaypoint' })
const PassedWaypoint = z
  .object({
    waypoint: ListedWaypoint,
    along: z.number().min(0).meta({ description: 'Metres from the start of the route' }),
    off: z.number().min(0).meta({ description: 'Metres beside the route' }),
  })
  .meta({ id: 'PassedWaypoint' })
const Id = z.object({ id: pathId('waypoint') })

/** The body, without custom fields if the registry declares none: unknown members are ignored. */
function ofRegistry<Body>({ properties }: Pick<Registry, 'properties'>, body: unknown): Body {
  if (properties !== undefined || typeof body !== 'object' || body === null || !('properties' in body))
    return body as Body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'properties')) as Body
}

const waypointByIdEndpoints: readonly Endpoint[] = [
  endpoint({
    ...read,
    route: 'GET /api/waypoints/{id}',
    name: 'getWaypoint',
    summary: 'One waypoint with its status, its log and its sources',
    description: `\`logs\` has the newest ${pages.logs.max} entries. When there are more, \`moreLogs\` leads to those before them, newest first. \`place\` says where its position lies, beside the \`region\` that people gave. \`status\` says whether it gives water today. With \`include=rating\` there is also what its reviews say together, with \`include=photos\` the photos that everybody sees. The entity tag stays good until the end of the day (UTC) while other waypoints change.`,
    path: Id,
    query: z.object({
      include: someOf(
        ['rating', 'photos'],
        'What else the response is to have: `rating`, `photos`, or both joined by commas',
      ).optional(),
    }),
    success: {
      description: 'The waypoint, what happened to it (oldest first), and where it came from',
      body: z.object({
        waypoint: ListedWaypoint,
        place: WaypointPlace.optional(),
        status: Status,
        rating: RatingSummary.optional(),
        photos: z.array(Photo).optional(),
        logs: z.array(HistoryEntry),
        sources: z.array(WaypointSource),
        logsTotal: z.int().min(1).meta({ description: 'How many entries there are about it' }),
        moreLogs: z
          .string()
          .meta({
            description: 'Path and query of the entries before those in `logs`; absent when there are none',
          })
          .optional(),
      }),
    },
    errors: ['NOT_FOUND'],
    freshness: 'result',
    run: waypointResource,
  }),
  endpoint({
    route: 'PATCH /api/waypoints/{id}',
    name: 'updateWaypoint',
    tag,
    summary: 'Change fields of a waypoint',
    description:
      'Only fields that are given change; `null` clears an optional one. `properties` are merged member by member (RFC 7396): `null` removes one. Users need enough XP and earn some when something changed. `approved` and `verified` count only from API tokens and moderators, `addedByUserId` only from API tokens.',
    who: 'contributor',
    path: Id,
    body: { schema: WaypointPatch },
    success: { description: 'The waypoint', body: Waypoint },
    errors: ['INVALID_COORDINATES', 'INSUFFICIENT_XP', 'NOT_FOUND', 'RATE_LIMITED'],
    isConditional: true,
    run: async (call) => {
      const { registry, request, path, body, actor } = call
      const condition = await conditionOf(registry, request)
      const patch = ofRegistry<WaypointPatch>(registry, body)
      return written(call, await registry.waypoints.update(path.id, patch, actor, condition))
    },
    repeated: (call) => writtenBefore(call, call.path.id),
  }),
  endpoint({
    route: 'DELETE /api/waypoints/{id}',
    name: 'deleteWaypoint',
    tag,
    summary: 'Delete a waypoint',
    description: 'For API tokens and moderators. Its log and its reviews stay.',
    who: 'steward',
    path: Id,
    query: z.object({ reason: deletionReason }),
    success: {
      description: 'The waypoint as it was',
      body: z.object({ waypoint: Waypoint }),
    },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    isConditional: true,
    run: async ({ registry, request, path, query, actor }) => {
      const condition = await conditionOf(registry, request)
      return { waypoint: await registry.waypoints.delete(path.id, actor, { ...condition, ...query }) }
    },
    repeated: async ({ registry, path }) => ({
      waypoint: await registry.waypoints.getEvenDeleted(path.id),
    }),
  }),
]

/** The text of the whole body, with its optional parts. @throws RegistryError NOT_FOUND */
function waypointResource(call: Resource): Versioned | Promise<Versioned> {
  const { registry, basePath, opening, path, query } = call
  const { id } = path
  return when(served(registry).dossier(id), (dossier) => {
    const { waypoint, logs, sources, logsTotal, version, origin, day, status } = dossier
    return when(query.include && besides(call, query.include), (beside = '') => {
      const { members, headers } = cachedTermsOf(registry, sources)
      const more =
        logsTotal <= pages.logs.max ? '' : `,"moreLogs":${JSON.stringify(earlierLogs(basePath, id))}`
      const after = `,"logs":[${logs}],"sources":[${sources}],"logsTotal":${logsTotal}${more}}`
      const text = `${opening},"waypoint":{${members}${waypoint.slice(1)},"status":${status}${beside}${after}`
      return { text, version, origin, day, headers }
    })
  })
}

type Include = readonly ('rating' | 'photos')[]
type Resource = Call<{ id: number }, { include?: Include | undefined }>

async function besides({ registry, basePath, path: { id } }: Resource, include: Include): Promise<string> {
  const rating = include.includes('rating') ? await registry.reviews.summary(id) : undefined
  const found = include.includes('photos') ? await registry.photos.of(id) : undefined
  const photos = found?.map((each) => located(each, { basePath }))
  return [
    rating === undefined ? '' : `,"rating":${JSON.stringify(rating)}`,
    photos === undefined ? '' : `,"photos":${JSON.stringify(photos)}`,
  ].join('')
}

const earlierLogs = (basePath: string, id: number): string =>
  `${basePath}/api/logs?bubblerId=${id}&limit=${pages.logs.max}&offset=${pages.logs.max}`

/** Licence terms that differ from the registry's, as the first members of a waypoint, and their Link headers. */
interface Terms {
  readonly members: string
  readonly headers: readonly HeaderPair[]
}

const sameTerms: Terms = { members: '', headers: [] }

function termsOf(license: string, sources: string): Terms {
  const terms = otherTermsOf(JSON.parse(`[${sources}]`) as WaypointSource[], license)
  if (terms === undefined) return sameTerms
  return {
    members: `${JSON.stringify(terms).slice(1, -1)},`,
    headers: otherLinks({ license }, [terms.license]),
  }
}

/** The end of the name of the first member of a source's text that is about the waypoint alone. */
const ofWaypoint = /(?<=,"(?:ref|tags|firstSeen)":)/u
const mostSources = 64
/** The terms of waypoints with a single source, with the text of the source and the licence they follow from. */
const knownTerms: { readonly license: string; readonly source: string; readonly terms: Terms }[] = []

/** As `termsOf`; most waypoints have one of a few sources, whose terms take longer to find than the waypoint itself. */
function cachedTermsOf({ license }: Registry, sources: string): Terms {
  if (sources === '') return sameTerms
  if (sources.includes('},{')) return termsOf(license, sources)
  for (const known of knownTerms)
    if (sources.startsWith(known.source) && known.license === license) return known.terms
  const terms = termsOf(license, sources)
  const own = sources.search(ofWaypoint)
  if (own > 0 && knownTerms.unshift({ license, source: sources.slice(0, own), terms }) > mostSources)
    knownTerms.pop()
  return terms
}

/** The condition in the If-Match header of a write (RFC 9110, section 13). @throws Problem INVALID_INPUT for a malformed header */
async function conditionOf(registry: Registry, { headers }: Request): Promise<WaypointCondition> {
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

type OfRegistry = Pick<Call<unknown, unknown>, 'registry' | 'request' | 'basePath'>

/** The response to a write, with the entity tag of the version that it made, to write again with. */
async function written(
  { registry, request, basePath }: OfRegistry,
  waypoint: Waypoint,
  version?: Pick<Versioned, 'version' | 'origin'>,
): Promise<Reply> {
  const current = version ?? { version: writtenVersion(waypoint), origin: (await registry.version()).origin }
  return new Reply(waypoint, [
    ['etag', quoted(versionTag(current))],
    ...(request.method === 'POST'
      ? made({ basePath }, `/api/waypoints/${waypoint.id}`, waypoint).headers
      : []),
  ])
}

/** The response to a repeated write: the waypoint as it is now. @throws RegistryError NOT_FOUND */
async function writtenBefore(call: OfRegistry, id: number): Promise<Reply> {
  const dossier = await served(call.registry).dossier(id)
  const { waypoint } = JSON.parse(`{"waypoint":${dossier.waypoint}}`) as { waypoint: Waypoint }
  return written(call, waypoint, dossier)
}
