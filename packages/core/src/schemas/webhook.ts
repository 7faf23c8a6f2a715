import { z } from 'zod'
import { limits } from '../rules.ts'
import { Watched } from '../waypoint-events.ts'
import { keptAddress } from './harvest.ts'
import { text } from './text.ts'

const { events } = Watched.shape

/** The address of a program, and its events. Default all. */
export const WebhookInput = z.strictObject({
  url: keptAddress('the signature of each delivery shows who sent it'),
  what: Watched.omit({ events: true }).optional(),
  events,
  description: text({ min: 1, max: limits.webhookDescription, trim: true }).optional(),
})
export type WebhookInput = z.infer<typeof WebhookInput>

/** Changes of a webhook. `active` switches it off, or on again at its place. */
export const WebhookPatch = WebhookInput.partial().extend({ active: z.boolean().optional() })
export type WebhookPatch = z.infer<typeof WebhookPatch>
