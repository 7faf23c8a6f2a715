import { RegistryError, type Actor } from '@openfountain/core'
import {
  FollowInput,
  PushDevice,
  parse,
  Report,
  ReadUpTo,
  waypointEvents,
  type Notification,
} from '@openfountain/core/internal'
import { following, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import {
  type Call,
  endpoint,
  type Endpoint,
  integer,
  integerOr,
  made,
  nextPage,
  Page,
  Reply,
  words,
} from '../endpoint.ts'
import { noCache, noSniffing, type HeaderPair } from '../http/headers.ts'
import { languageOf } from '../http/negotiation.ts'
import { mediaTypeOf } from '../http/media-types.ts'
import { malformed, notFound } from '../problem.ts'
import type { EndpointContext } from '../options.ts'
import { accountTag, Instant } from './devices.ts'
import { eventAddress, sitePath } from './feeds.ts'

const Follow = z
  .object({
    id: z.string().meta({ description: '`mine`, or random' }),
    ...FollowInput.shape,
    createdAt: Instant.optional().meta({
      description: 'Absent of `mine`, which everybody has from the start',
    }),
  })
  .meta({ id: 'Follow' })

const NotificationBody = z
  .object({
    id: z.string().meta({ description: 'The same for ever, and of no other event' }),
    entryId: z.int().meta({ description: 'The id of the log entry' }),
    event: z.enum(waypointEvents),
    bubblerId: z.int(),
    name: z.string().meta({ description: 'The name of the fountain' }),
    at: Instant,
    by: z.enum(['person', 'moderator', 'program', 'observer']).meta({
      description:
        'Who did it; `moderator` where one removed something or took a mark away, `observer` somebody at the fountain',
    }),
    byName: z.string().optional().meta({ description: 'The name of a person who has not left' }),
    reason: z.string().optional().meta({ description: 'The public reason' }),
    isRead: z.boolean(),
    url: z.string().meta({ description: 'Where it is shown' }),
  })
  .meta({ id: 'Notification' })

const DecidedReport = z
  .object({
    id: z.int().meta({ description: 'The id of the report' }),
    ...Report.pick({ bubblerId: true, reviewId: true, photoId: true, userId: true, reason: true }).shape,
    state: z.enum(['done', 'dismissed']).meta({ description: '`dismissed` where nothing was to be done' }),
    createdAt: Instant,
    decidedAt: Instant.meta({ description: 'When a moderator decided' }),
    isRead: z.boolean(),
  })
  .meta({ id: 'DecidedReport' })

const unread = z.int().meta({ description: 'How many are not read' })
/** Its address has the token. */
const pageHeaders: readonly HeaderPair[] = [
  noSniffing,
  noCache,
  ['referrer-policy', 'no-referrer'],
  [
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ],
]
const about = { tag: accountTag, who: 'user', isLicensed: false } as const
const idOf = (actor: Actor): string => (actor.kind === 'user' ? actor.userId : '')

const begun = (call: Pick<Call<unknown, unknown>, 'basePath'>, follow: { readonly id: string }): Reply =>
  made(call, `/api/user/follows/${follow.id}`, { follow })

export function followEndpoints({ registry, options }: EndpointContext): readonly Endpoint[] {
  const onSite = sitePath(options)
  const shown = (call: Call<object, object>, { isRemoved, ...notification }: Notification) => ({
    ...notification,
    url: eventAddress(call, onSite, { id: notification.bubblerId, isRemoved }),
  })
  const mails = options.accounts?.mailEnding
  const device = { ...about, errors: ['NOT_FOUND'] } as const
  const pushKey = (): string => {
    try {
      if (options.webhooks) return options.webhooks.pushKey()
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
    }
    throw notFound('Push', 'this server pushes nothing')
  }
  const ending = {
    tag: accountTag,
    who: 'anyone',
    isLicensed: false,
    freshness: 'never',
    isForPages: false,
    query: z.object({ token: words(512, 'That of the link in a mail') }),
    errors: ['NOT_FOUND'],
  } as const
  const page = async (
    { request, query: { token } }: Call<object, { readonly token: string }>,
    isEnded: boolean,
  ): Promise<Page> => {
    const ended = mails?.read(token)
    if (mails === undefined || ended === undefined)
      throw new RegistryError('NOT_FOUND', 'This link ends no mails', { thing: 'mail' })
    if (isEnded) await registry.follows.endMails(ended)
    return new Page(mails.page(languageOf(request), isEnded), mediaTypeOf('page.html'), pageHeaders)
  }
  const unreadOf = async (actor: Actor) => ({
    unread: (await registry.follows.notifications(idOf(actor), { limit: 0 })).unread,
  })
  return [
    endpoint({
      ...about,
      route: 'GET /api/user/follows',
      name: 'listFollows',
      summary: 'What you follow',
      success: {
        description: 'The oldest first after `mine`, the fountains that you added or edited',
        body: z.object({ follows: z.array(Follow) }),
      },
      run: async ({ actor }) => ({ follows: await registry.follows.list(idOf(actor)) }),
    }),
    endpoint({
      ...about,
      route: 'POST /api/user/follows',
      name: 'createFollow',
      summary: 'Follow a fountain, an area, a region, a maintainer or a source',
      description: `\`what\` says one thing; \`near\` needs \`radius\` in metres. \`events\` narrows. What you follow already gets these events instead. You may have ${following.follows} besides \`mine\`. \`by\` with \`mail\` needs a mail server and a verified address; at most one mail an hour, a day or a week, by \`rhythm\`, in the language of Accept-Language. Moderators follow \`queue\` by mail, daily or weekly. You are told what happens from now on, and never of your own acts.`,
      body: { schema: FollowInput },
      success: {
        status: 201,
        description: 'What you follow',
        body: z.object({ follow: Follow }),
        located: true,
      },
      errors: ['INVALID_COORDINATES', 'FORBIDDEN'],
      run: async (call) => {
        const { actor, body, request } = call
        const input = parse(FollowInput, body)
        if (mails === undefined && input.by?.includes('mail') === true)
          throw malformed('by', 'must be web alone: this server sends no mail')
        const language = languageOf(request)
        return begun(call, await registry.follows.create(idOf(actor), input, { language }))
      },
      repeated: async (call, { subject }) => {
        const follow = (await registry.follows.list(idOf(call.actor))).find(({ id }) => id === subject)
        if (follow === undefined) throw notFound('Follow')
        return begun(call, follow)
      },
    }),
    endpoint({
      ...about,
      route: 'DELETE /api/user/follows/{id}',
      name: 'endFollow',
      summary: 'Follow something no more',
      description: 'What it told is gone with it. `mine` tells nothing then, until you follow it again.',
      path: z.object({ id: words(64, 'The id of the follow') }),
      success: { status: 204, description: 'It has ended' },
      errors: ['NOT_FOUND'],
      run: async ({ actor, path }) => registry.follows.delete(idOf(actor), path.id),
      repeated: () => {},
    }),
    endpoint({
      ...device,
      route: 'GET /api/user/push',
      name: 'showPushKey',
      summary: 'The key with which a browser asks its push service for an address (RFC 8292)',
      success: {
        description: 'The key',
        body: z.object({ key: z.string().meta({ description: 'In base64url' }) }),
      },
      run: () => ({ key: pushKey() }),
    }),
    endpoint({
      ...device,
      route: 'POST /api/user/push',
      name: 'addDevice',
      summary: 'Push to a device what you follow with `push`',
      description: `From now on, in the language of Accept-Language, encrypted for it (RFC 8291). You may have ${following.push.devices}; with one more the oldest is forgotten. One of which its push service says that it is gone is forgotten, too.`,
      body: { schema: PushDevice },
      success: { status: 204, description: 'It is told' },
      run: async ({ actor, body, request }) => {
        const given = body as PushDevice
        pushKey()
        if (typeof given?.endpoint === 'string') options.webhooks?.checkDevice(given.endpoint)
        await registry.follows.addDevice(idOf(actor), given, { language: languageOf(request) })
      },
      repeated: () => {},
    }),
    endpoint({
      ...device,
      route: 'DELETE /api/user/push',
      name: 'endDevice',
      summary: 'Push to a device no more',
      body: { schema: PushDevice.pick({ endpoint: true }) },
      success: { status: 204, description: 'It is told nothing' },
      run: async ({ actor, body }) =>
        registry.follows.endDevice(idOf(actor), parse(PushDevice.pick({ endpoint: true }), body).endpoint),
      repeated: () => {},
    }),
    endpoint({
      ...ending,
      route: 'GET /api/unsubscribe',
      name: 'askUnsubscribe',
      summary: 'A page that asks whether mails shall end',
      success: { description: 'It ends nothing', media: { 'text/html': 'The page' } },
      run: async (call) => page(call, false),
    }),
    endpoint({
      ...ending,
      route: 'POST /api/unsubscribe',
      name: 'unsubscribe',
      summary: 'End the mails of a link, by one click (RFC 8058)',
      description: 'The body is ignored. What was told by them is told on the site alone.',
      success: { description: 'They are ended', media: { 'text/html': 'A page that says so' } },
      run: async (call) => page(call, true),
    }),
    endpoint({
      ...about,
      route: 'GET /api/user/notifications',
      name: 'listNotifications',
      summary: 'What happened to what you follow, and what was decided of your reports',
      description: `The newest ${following.kept} of each follow are kept.`,
      query: z.object({
        after: integer({ min: 1 }, 'The `entryId` of the last one on the page before').optional(),
        limit: integerOr(pages.notifications.default, { min: 1, max: pages.notifications.max }, 'How many'),
      }),
      success: {
        description: 'The newest first',
        body: z.object({
          notifications: z.array(NotificationBody),
          reports: z.array(DecidedReport).meta({
            description: 'What was decided of your reports, on the first page alone',
          }),
          unread,
        }),
      },
      run: async (call) => {
        const found = await registry.follows.notifications(idOf(call.actor), call.query)
        const ids = found.notifications.map(({ entryId }) => ({ id: entryId }))
        const notifications = found.notifications.map((each) => shown(call, each))
        return new Reply({ ...found, notifications }, nextPage(call, ids))
      },
    }),
    endpoint({
      ...about,
      route: 'POST /api/user/notifications/read',
      name: 'readNotifications',
      summary: 'Say how far you have read',
      body: { schema: ReadUpTo },
      success: { description: 'How many are left', body: z.object({ unread }) },
      run: async ({ actor, body }) => {
        await registry.follows.read(idOf(actor), body as ReadUpTo)
        return unreadOf(actor)
      },
      repeated: ({ actor }) => unreadOf(actor),
    }),
  ]
}
