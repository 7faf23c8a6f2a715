import { z } from 'zod'
import { harvestFields, harvestOutcomes, intervals } from '../fields/harvest.ts'
import { limits } from '../rules.ts'
import { inOrder, optionalOutputs } from './described.ts'

const rows = z.int().min(0)

export const Harvest = z
  .object(
    inOrder(harvestFields, {
      ...optionalOutputs(harvestFields),
      startedAt: z.iso.datetime(),
      endedAt: z.iso.datetime(),
      outcome: z.enum(harvestOutcomes),
      status: z.int().optional(),
      read: rows,
      added: rows,
      changed: rows,
      missing: rows,
      refused: rows,
    }),
  )
  .meta({ id: 'Harvest' })
export type Harvest = z.infer<typeof Harvest>

/** The harvests of a source that has an address: how often, when next, and the latest ones, newest first. */
export const Harvesting = z
  .object({
    every: z.enum(intervals),
    checkedAt: z.iso.datetime().optional(),
    nextAt: z.iso.datetime().optional(),
    staleSince: z.iso.datetime().optional(),
    harvests: z.array(Harvest),
  })
  .meta({
    id: 'Harvesting',
    description:
      'How often the source is harvested, when it was last found as it is here, when it is next looked at, since when it could not be harvested, and the latest harvests, newest first',
  })
export type Harvesting = z.infer<typeof Harvesting>

const secretNames =
  /^(?:key|token|secret|passw(?:or)?d|pass|pwd|sig|auth|authorization|.*[_-](?:signature|credential)|signature|credential|(?:.*[_-])?(?:api|app|access|auth|client|private|secret|security|session|subscription|user)[_-]?(?:key|token|secret))$/iu

/** The parameter of an address that is a secret by its name, such as `token`, `api_key` or `X-Amz-Signature`; or undefined. */
export function secretIn({ searchParams, hash }: URL): string | undefined {
  const names = [...searchParams.keys(), ...new URLSearchParams(hash.slice(1)).keys()]
  // Socrata has `$$app_token`.
  return names.find((name) => secretNames.test(name.replace(/^\$+/u, '')))
}

/** An address that is kept: http: or https:, without anything secret in it. `instead` says where that belongs. */
export const keptAddress = (instead: string) =>
  z.string().superRefine((given, context) => {
    const url = URL.parse(given)
    const isAddress = url !== null && /^https?:$/u.test(url.protocol) && given.isWellFormed()
    const message = (() => {
      if (!isAddress || given.length > limits.imageUrl || /[\s\p{Cc}]/u.test(given))
        return `must be an http: or https: address of at most ${limits.imageUrl} characters`
      if (url.username !== '' || url.password !== '')
        return `must not have a user or a password, which would be kept in clear: ${instead}`
      const secret = secretIn(url)
      return secret === undefined
        ? undefined
        : `must not have ${secret}, which looks like a secret and would be kept in clear: ${instead}`
    })()
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

export const ScheduleFields = z.strictObject({
  url: keptAddress('give it as a header, whose value is in the environment'),
  every: z.enum(intervals),
  options: z
    .record(z.string(), z.unknown())
    .refine((given) => z.json().safeParse(given).success, { message: 'must be JSON' })
    .refine((given) => JSON.stringify(given).length <= limits.schedule, {
      message: `must have at most ${limits.schedule} characters as JSON`,
    }),
})
