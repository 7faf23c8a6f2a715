import { hash } from 'node:crypto'
import {
  apiUserId,
  atomFeed,
  type Feed,
  feedId,
  type HappenedEvent,
  happenedWords,
  jsonFeed,
  observerUserId,
  type Watched,
  waypointEvents,
} from '@openfountain/core/internal'
import { limits, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import { type Call, endpoint, type Endpoint, integer, Page, someOf, words } from '../endpoint.ts'
import { inert, noCache, publicCache } from '../http/headers.ts'
import { heldVariant } from '../http/response.ts'
import type { AppOptions, EndpointContext } from '../options.ts'
import { siteOf } from '../site.ts'
import { areaOf, Narrowing } from '../waypoint-filter.ts'

const Query = Narrowing.pick({
  bbox: true,
  near: true,
  radius: true,
  region: true,
  country: true,
  subdivision: true,
  maintainer: true,
  source: true,
}).extend({
  bubblerId: integer({ min: 1 }, 'Only of this waypoint').optional(),
  event: someOf(waypointEvents, 'Only such events, joined by commas').optional(),
  userId: words(limits.userId, 'Only what this user did; for that user and for moderators').optional(),
})
type Query = z.output<typeof Query>

const titles = happenedWords.en.event

function watchedOf({ event, ...query }: Query): z.input<typeof Watched> {
  const { near, ...rest } = areaOf(query)
  const { radius } = near ?? {}
  return {
    ...rest,
    events: event,
    ...(near && { near: { ...near, radius: radius ?? defaultRadiusMetres } }),
  }
}

const defaultRadiusMetres = 1000

/** Who did it; undefined for a program, which is the registry itself. */
function authorOf({ by, byName }: HappenedEvent): string | undefined {
  if (by === apiUserId) return undefined
  if (by === observerUserId) return 'Somebody at the fountain'
  return byName === '' ? 'A former contributor' : byName
}

/** The address of what happened to a waypoint: on the site, or in the log where it is removed or there is no site. */
export const eventAddress = (
  call: Pick<Call<object, object>, 'absolute' | 'basePath'>,
  onSite: string | undefined,
  { id, isRemoved }: Pick<HappenedEvent['waypoint'], 'id' | 'isRemoved'>,
): string =>
  call.absolute(
    onSite === undefined || isRemoved
      ? `${call.basePath}/api/logs?bubblerId=${id}`
      : `${onSite}?fountain=${id}`,
  )

export function sitePath(options: AppOptions): string | undefined {
  const site = siteOf(options)
  return site && `${(site.base ?? '').replace(/\/$/u, '')}/`
}

export function feedEndpoints({ registry, options }: EndpointContext): readonly Endpoint[] {
  const onSite = sitePath(options)

  async function feedOf(call: Call<object, Query>): Promise<Feed> {
    const { pathname, search } = new URL(call.request.url)
    const { name, author, license } = registry
    const events = await registry.changes.events(watchedOf(call.query), call.actor)
    return {
      id: feedId(registry, search === '' ? 'changes' : `changes${search}`),
      title: `${name}: changes`,
      language: 'en',
      updated: events[0]?.at ?? (await registry.dataTime()),
      author,
      rights: `© ${author}, ${license}`,
      self: call.absolute(pathname + search),
      page: call.absolute(onSite === undefined ? `${call.basePath}/api/logs` : `${onSite}changes/`),
      items: events.map((event) => ({
        id: feedId(registry, String(event.id)),
        address: eventAddress(call, onSite, event.waypoint),
        title: `${titles[event.event]}: ${event.waypoint.name}`,
        summary: [titles[event.event], event.waypoint.region, event.reason].filter(Boolean).join(' · '),
        author: authorOf(event),
        time: event.at,
      })),
    }
  }

  const feed = (
    route: `GET /api/feeds/${string}`,
    name: string,
    type: string,
    textOf: (feed: Feed) => string,
  ) =>
    endpoint({
      route,
      name,
      tag: 'Feeds',
      summary: `What happened to waypoints, as ${type === 'application/atom+xml' ? 'an Atom feed' : 'a JSON Feed'}`,
      description: `Every parameter narrows; \`near\` is within ${defaultRadiusMetres} m unless \`radius\` says otherwise. A waypoint is where it is now. The newest ${pages.feeds.events} among the last ${pages.feeds.searched} entries of the log.`,
      who: 'reader',
      query: Query,
      success: {
        description: 'The feed, the newest first',
        media: { [type]: 'In English' },
        tagged: true,
      },
      errors: ['INVALID_COORDINATES', 'FORBIDDEN'],
      isLicensed: false,
      run: async (call) => {
        const { request, query } = call
        const isPublic = query.userId === undefined
        const headers = [...inert, isPublic ? publicCache : noCache]
        const mediaType = `${type}; charset=utf-8`
        const { origin, revision } = await registry.version()
        const seed = JSON.stringify([origin, revision, call.absolute(new URL(request.url).search)])
        const tag = isPublic ? hash('sha256', seed, 'base64url').slice(0, 16) : undefined
        // The reader's copy is current.
        if (tag !== undefined && heldVariant(request.headers.get('if-none-match'), tag) !== undefined)
          return new Page('', mediaType, headers, tag)
        return new Page(textOf(await feedOf(call)), mediaType, headers, tag)
      },
    })
  return [
    feed('GET /api/feeds/changes.atom', 'getChangesAtom', 'application/atom+xml', atomFeed),
    feed('GET /api/feeds/changes.json', 'getChangesJson', 'application/feed+json', (each) =>
      JSON.stringify(jsonFeed(each)),
    ),
  ]
}
