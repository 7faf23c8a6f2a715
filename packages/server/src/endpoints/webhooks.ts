import { type StoredWebhook, WebhookInput, WebhookPatch } from '@openfountain/core/internal'
import { z } from 'zod'
import { endpoint, type Endpoint, made, words } from '../endpoint.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from '../options.ts'
import { Instant } from './devices.ts'

const tag = 'Webhooks'

const Webhook = z
  .object({
    id: z.string(),
    ...WebhookInput.required({ what: true }).shape,
    active: z
      .boolean()
      .meta({ description: 'False once it was switched off, by somebody or after the last try' }),
    place: z.int().meta({ description: 'The id of the log entry up to which it was told everything' }),
    attempts: z.int().meta({ description: 'How often the next event was tried' }),
    nextAt: Instant.optional().meta({ description: 'When it is tried again' }),
    lastStatus: z.int().optional().meta({ description: 'The HTTP status of the newest answer' }),
    lastError: z.string().optional().meta({ description: 'Why the newest try failed' }),
    kept: z
      .array(z.int())
      .meta({ description: 'The log entries that it refused, kept for sending them again' }),
    createdAt: Instant,
  })
  .meta({ id: 'Webhook' })

const shown = ({
  generation: _secret,
  rotatedAt: _changed,
  disabledAt,
  isGone: _gone,
  ...rest
}: StoredWebhook) => ({
  ...rest,
  active: disabledAt === undefined,
})

const ById = z.object({ id: words(64, 'The id of the webhook') })
const one = z.object({ webhook: Webhook })
const about = { tag, who: 'token', isLicensed: false } as const

export const webhookEndpoints = ({ registry, options }: EndpointContext): readonly Endpoint[] => [
  endpoint({
    ...about,
    route: 'GET /api/webhooks',
    name: 'listWebhooks',
    summary: 'The programs that are told what happens',
    success: {
      description: 'The oldest first, without their secrets',
      body: z.object({
        webhooks: z.array(Webhook),
        isPaused: z.boolean().meta({
          description: 'Whether nothing is sent until the operator resumes it: after a restore or a copy',
        }),
      }),
    },
    run: async ({ actor }) => {
      const webhooks = await registry.webhooks.list(actor)
      const { isPaused } = await registry.webhooks.state()
      return { webhooks: webhooks.map(shown), isPaused }
    },
  }),
  endpoint({
    ...about,
    route: 'POST /api/webhooks',
    name: 'createWebhook',
    summary: 'Have a program told what happens from now on',
    description:
      'Deliveries follow Standard Webhooks. `what` and `events` narrow; default is every event of every waypoint.',
    body: { schema: WebhookInput },
    success: {
      status: 201,
      description: 'The webhook; its secret is shown this once',
      body: one.extend({ secret: z.string() }),
      located: true,
    },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      const { body, actor } = call
      const { webhooks } = options
      if (webhooks === undefined) throw notFound('Webhooks', 'this server sends none')
      // Who may not hears nothing about the address.
      await registry.webhooks.list(actor)
      const input = body as WebhookInput
      if (typeof input?.url === 'string') webhooks.check(input.url)
      webhooks.secretOf({ id: '', generation: 1 })
      const webhook = await registry.webhooks.create(input, actor)
      const shownOnce = { webhook: shown(webhook), secret: webhooks.secretOf(webhook) }
      return made(call, `/api/webhooks/${webhook.id}`, shownOnce)
    },
    repeated: 'ignored',
  }),
  endpoint({
    ...about,
    route: 'PATCH /api/webhooks/{id}',
    name: 'updateWebhook',
    summary: 'Change what a program is told, or switch it off or on',
    description: 'One that is switched on again is told what happened meanwhile.',
    path: ById,
    body: { schema: WebhookPatch },
    success: { description: 'The webhook', body: one },
    errors: ['NOT_FOUND'],
    run: async ({ path, body, actor }) => {
      await registry.webhooks.list(actor)
      const patch = body as WebhookPatch
      if (typeof patch?.url === 'string') options.webhooks?.check(patch.url)
      return { webhook: shown(await registry.webhooks.update(path.id, patch, actor)) }
    },
    repeated: async ({ path }) => {
      const found = (await registry.webhooks.state()).webhooks.find(({ id }) => id === path.id)
      if (found === undefined) throw notFound('Webhook')
      return { webhook: shown(found) }
    },
  }),
  endpoint({
    ...about,
    route: 'DELETE /api/webhooks/{id}',
    name: 'deleteWebhook',
    summary: 'Tell a program nothing any more',
    path: ById,
    success: { status: 204, description: 'It is removed' },
    errors: ['NOT_FOUND'],
    run: async ({ path, actor }) => registry.webhooks.delete(path.id, actor),
    repeated: () => {},
  }),
]
