import { z } from 'zod'
import { limits } from '../rules.ts'
import { Watched } from '../waypoint-events.ts'
import { keptAddress } from './harvest.ts'
import { text } from './text.ts'

const { events } = Watched.shape

export const WebhookInput = z.strictObject({
  url: keptAddress('the signature of each delivery shows who sent it'),
  what: Watched.omit({ events: true }).optional(),
  events,
  description: text({ min: 1, max: limits.webhookDescription, trim: true }).optional(),
})
export type WebhookInput = z.infer<typeof WebhookInput>

/** What a city's endpoint of Open311 GeoReport v2 is told with. `apiKey` is sealed. */
export const CityInput = z.strictObject({
  service: text({ min: 1, max: limits.cityText, trim: true }),
  jurisdiction: text({ min: 1, max: limits.cityText, trim: true }).optional(),
  apiKey: z.string().optional(),
  /** Whether a closed request says that the waypoint works. */
  closedMeansWorks: z.boolean().optional(),
})
export type CityInput = z.infer<typeof CityInput>

export interface CityRequest {
  readonly waypoint: number
  readonly id?: string | undefined
  readonly token?: string | undefined
}

/** A city's endpoint, with its open requests, the oldest first. */
export interface City extends CityInput {
  readonly requests: readonly CityRequest[]
}

/** Changes of a webhook. `active` switches it off, or on again at its place. */
export const WebhookPatch = WebhookInput.partial().extend({ active: z.boolean().optional() })
export type WebhookPatch = z.infer<typeof WebhookPatch>
