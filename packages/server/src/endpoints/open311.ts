import type { Registry } from '@openfountain/core'
import { z } from 'zod'
import { type Call, endpoint, type Endpoint, instant, integerOr, Page, words } from '../endpoint.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from '../options.ts'

/** The read side of Open311 GeoReport v2: one service request a waypoint, open while it is said to give no water. */

const tag = 'Open311'
const specification = 'http://wiki.open311.org/GeoReport_v2'
const mediaType = 'application/json'

const faulty = ['reported', 'broken', 'gone'] as const

const services = {
  broken: ['Gives no water', 'A fountain is broken, dry, dirty or out of reach'],
  gone: ['Gone', 'A fountain is no longer there'],
} as const
type ServiceCode = keyof typeof services
const codes = ['broken', 'gone'] as const satisfies readonly ServiceCode[]

const pageSize = { default: 50, max: 100 }
const mostPages = 100
const statuses = ['open', 'closed'] as const

const some = <Word extends string>(all: readonly Word[], description: string) =>
  words(100, description)
    .refine((text) => text.split(',').every((word) => all.includes(word as Word)), {
      error: `must be some of ${all.join(', ')}, joined by commas`,
    })
    .transform((text) => text.split(',') as Word[])

const Query = z.object({
  jurisdiction_id: words(100, 'Ignored: there is one jurisdiction').optional(),
  service_request_id: words(1000, 'Only these, joined by commas, at most 50')
    .refine((text) => /^\d{1,15}(?:,\d{1,15}){0,49}$/u.test(text), {
      error: 'must be at most 50 ids, joined by commas',
    })
    .transform((text) => text.split(',').map(Number))
    .optional(),
  service_code: some(codes, 'Only these services, joined by commas').optional(),
  status: some(statuses, '`open`, `closed`, or both joined by a comma').optional(),
  start_date: instant('Only requests of that time or later').optional(),
  end_date: instant('Only requests of that time or earlier').optional(),
  page: integerOr(1, { min: 1, max: mostPages }, 'Which page of open requests; closed ones are on the first'),
  page_size: integerOr(
    pageSize.default,
    { min: 1, max: pageSize.max },
    'How many open ones a page has at most',
  ),
})
type Query = z.output<typeof Query>

const said = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description })
const text = (description: string) => said(z.string(), description)
const time = (description: string) => said(z.iso.datetime(), description)
const code = said(z.enum(codes), 'The service')
const name = text('Its name')

const ServiceRequest = z
  .object({
    service_request_id: text('The id of the waypoint'),
    status: said(z.enum(statuses), 'Open while it gives no water'),
    status_notes: text('Its state in words'),
    service_name: name,
    service_code: code,
    description: text('The name of the waypoint'),
    agency_responsible: text('Its maintainer').optional(),
    requested_datetime: time('The first day of the fault, of an open one, as far as it is known').optional(),
    updated_datetime: time('When its state was last told, UTC'),
    address: text('Its region').optional(),
    lat: said(z.number(), 'Degrees'),
    long: said(z.number(), 'Degrees'),
  })
  .meta({ id: 'ServiceRequest' })
type ServiceRequest = z.output<typeof ServiceRequest>

const Service = z.object({
  service_code: code,
  service_name: name,
  description: text('What it is for'),
  metadata: said(z.literal(false), 'It has no questions'),
  type: said(z.literal('realtime'), 'Requests have an id at once'),
  keywords: text('Joined by commas'),
  group: text('The group of services'),
})

const Discovery = z.object({
  changeset: time('The newest change, UTC'),
  contact: text('Where to ask'),
  key_service: text('About keys'),
  endpoints: said(
    z.array(
      z.object({
        specification: text('The standard'),
        url: text('The address'),
        changeset: time('The newest change, UTC'),
        type: said(z.literal('production'), 'Not for trying out'),
        formats: said(z.array(z.literal(mediaType)), 'Media types'),
      }),
    ),
    'Where requests are read',
  ),
})

const stateNotes = {
  works: 'It works',
  unconfirmed: 'Nobody has said of late that it gives no water',
  reported: 'One person says so',
  broken: 'It is known to give no water',
  off: 'It is off for the season',
  gone: 'It is said to be gone',
} as const

/** The request of a waypoint; undefined for one that is removed. */
async function requestOf(
  registry: Registry,
  id: number,
  wanted?: ServiceCode,
): Promise<ServiceRequest | undefined> {
  const [waypoint] = await registry.waypoints.list({ id })
  if (waypoint === undefined) return undefined
  const { state, since } = await registry.observations.status(id)
  const isOpen = faulty.some((each) => each === state)
  const code = state === 'gone' ? 'gone' : isOpen ? 'broken' : (wanted ?? 'broken')
  const { latitude, longitude, name, maintainer, region, updatedAt } = waypoint
  const begun = since === undefined ? undefined : `${since}T00:00:00Z`
  return {
    service_request_id: String(id),
    status: isOpen ? 'open' : 'closed',
    status_notes: stateNotes[state],
    service_name: services[code][0],
    service_code: code,
    description: name,
    agency_responsible: maintainer,
    requested_datetime: isOpen ? begun : undefined,
    updated_datetime: begun ?? updatedAt,
    address: region,
    lat: latitude,
    long: longitude,
  }
}

/** Requests of the last events that closed them, newest first, by the service of each. */
async function lately(registry: Registry): Promise<readonly (readonly [id: number, code: ServiceCode])[]> {
  const events = await registry.changes.events({ events: [...codes] })
  const found = new Map<number, ServiceCode>()
  for (const { waypoint, event } of events)
    if (!found.has(waypoint.id)) found.set(waypoint.id, event === 'gone' ? 'gone' : 'broken')
  return [...found]
}

async function requestsOf(registry: Registry, query: Query): Promise<readonly ServiceRequest[]> {
  const { service_request_id: ids, page, page_size: size, status, service_code: wanted } = query
  const wantsOpen = status?.includes('open') ?? true
  const wantsClosed = (status?.includes('closed') ?? true) && page === 1
  const open =
    ids !== undefined || !wantsOpen
      ? []
      : await registry.waypoints.list({ status: [...faulty], limit: page * size })
  const closed = ids === undefined && wantsClosed ? await lately(registry) : []
  const asked = new Map<number, ServiceCode | undefined>([
    ...(ids ?? []).map((id) => [id, undefined] as const),
    ...open.slice((page - 1) * size).map(({ id }) => [id, undefined] as const),
    ...closed,
  ])
  const found = await Promise.all(Array.from(asked, ([id, code]) => requestOf(registry, id, code)))
  const openIds = new Set(open.map(({ id }) => String(id)))
  return found.flatMap((each) => {
    if (each === undefined) return []
    const at = Date.parse(each.requested_datetime ?? each.updated_datetime)
    const isAsked =
      (status?.includes(each.status) ?? true) &&
      // An open one stands on the page of its number.
      (ids !== undefined || each.status === 'closed' || openIds.has(each.service_request_id)) &&
      (wanted?.includes(each.service_code) ?? true) &&
      (query.start_date === undefined || at >= Date.parse(query.start_date)) &&
      (query.end_date === undefined || at <= Date.parse(query.end_date))
    return isAsked ? [each] : []
  })
}

const json = (body: unknown): Page => new Page(JSON.stringify(body), `${mediaType}; charset=utf-8`, [])
const of = (description: string, schema: z.ZodType) =>
  ({ description, media: { [mediaType]: schema } }) as const

export function open311Endpoints({ registry }: EndpointContext): readonly Endpoint[] {
  const read = { tag, who: 'anyone', isLicensed: false } as const
  return [
    endpoint({
      ...read,
      route: 'GET /open311/discovery.json',
      name: 'getOpen311Discovery',
      summary: 'Where the Open311 endpoints are',
      success: of('Service discovery of Open311', Discovery),
      run: async (call) =>
        json({
          changeset: await registry.dataTime(),
          contact: call.absolute(`${call.basePath}/api`),
          key_service: 'Nothing is taken here, so there are no keys',
          endpoints: [
            {
              specification,
              url: call.absolute(`${call.basePath}/open311/v2`),
              changeset: await registry.dataTime(),
              type: 'production',
              formats: [mediaType],
            },
          ],
        }),
    }),
    endpoint({
      ...read,
      route: 'GET /open311/v2/services.json',
      name: 'listOpen311Services',
      summary: 'The kinds of service requests',
      success: of('Services of GeoReport v2', z.array(Service)),
      run: () =>
        json(
          codes.map((code) => ({
            service_code: code,
            service_name: services[code][0],
            description: services[code][1],
            metadata: false,
            type: 'realtime',
            keywords: 'fountain, water',
            group: 'Fountains',
          })),
        ),
    }),
    endpoint({
      ...read,
      route: 'GET /open311/v2/requests.json',
      name: 'listOpen311Requests',
      summary: 'Waypoints that give no water, as service requests',
      description:
        'One request a waypoint, whose id is that of the waypoint: open while it is reported, broken or gone, else closed. Closed ones are those among the newest faults of the log. With dates a page may be shorter than `page_size`.',
      query: Query,
      isOfDay: () => true,
      success: of('Service requests of GeoReport v2, open ones by id', z.array(ServiceRequest)),
      run: async ({ query }) => json(await requestsOf(registry, query)),
    }),
    endpoint({
      ...read,
      route: 'GET /open311/v2/requests/{id}',
      name: 'getOpen311Request',
      summary: 'The service request of a waypoint',
      path: z.object({
        id: words(20, 'The id of the waypoint, and `.json`').refine(
          (text) => /^\d{1,15}\.json$/u.test(text),
          {
            error: 'must be an id and .json',
          },
        ),
      }),
      isOfDay: () => true,
      success: of('A list of it alone', z.array(ServiceRequest)),
      errors: ['NOT_FOUND'],
      run: async ({ path }: Call<{ readonly id: string }, object>) => {
        const found = await requestOf(registry, Number.parseInt(path.id, 10))
        if (found === undefined) throw notFound('Service request')
        return json([found])
      },
    }),
  ]
}
