import { FetchRefused, invalidBecause } from '@openfountain/core/internal'
import { z } from 'zod'
import { MapFile } from '../import/understand/columns.ts'

/** The variables of the environment that may be values of headers. */
const variable = z.string().regex(/^OPENFOUNTAIN_SECRET_[A-Z0-9_]+$/u, {
  message: 'must be a variable that begins with OPENFOUNTAIN_SECRET_',
})
const text = z.string().max(500)

/** Options of a schedule: those of `importFile`, and permissions of its address. */
export const HarvestOptions = z.strictObject({
  /** A map, or the name of a ready one. */
  map: z.union([text, MapFile]).optional(),
  reference: text.optional(),
  crs: text.optional(),
  place: text.optional(),
  encoding: text.optional(),
  delimiter: text.optional(),
  skip: z.int().min(0).optional(),
  sheet: text.optional(),
  axes: z.enum(['swap', 'keep']).optional(),
  keepAll: z.boolean().optional(),
  approved: z.boolean().optional(),
  missing: z.enum(['mark', 'remove', 'keep']).optional(),
  allowPrivate: z.boolean().optional(),
  megabytes: z.int().min(1).optional(),
  /** Variables of the environment by the headers that they are the values of. */
  headers: z.record(z.string(), variable).optional(),
})
export type HarvestOptions = z.infer<typeof HarvestOptions>

/** @throws RegistryError INVALID_INPUT */
export function harvestOptions(kept: unknown): HarvestOptions {
  const { data, error } = HarvestOptions.safeParse(kept)
  if (error === undefined) return data
  const [issue] = error.issues
  throw invalidBecause(['options', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is malformed')
}

/** Headers with their values. @throws FetchRefused NO_SECRET for a variable that is not set */
export function secretHeaders(
  headers: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, variable]) => {
      const value = env[variable] ?? ''
      if (value === '') throw new FetchRefused({ code: 'NO_SECRET', url: name, variable })
      return [name, value]
    }),
  )
}
