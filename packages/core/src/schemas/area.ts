import { z } from 'zod'
import { areaFields } from '../fields/area.ts'
import type { GivenValuesOf } from '../fields/field.ts'
import { limits } from '../rules.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'
import { text } from './text.ts'
import { Latitude, Longitude } from './waypoint.ts'

const Position = z.tuple([Longitude, Latitude], { error: 'must be two numbers: longitude, latitude' })

const Ring = z
  .array(Position)
  .min(4, { message: 'must have at least four positions' })
  .max(limits.areaPositions, { message: `must have at most ${limits.areaPositions} positions` })
  .refine(
    (ring) => {
      const first = ring[0]
      const last = ring.at(-1)
      return first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]
    },
    { message: 'must be closed: the last position repeats the first' },
  )

/** Polygon rings as in GeoJSON: closed, positions as [longitude, latitude]. */
const Coordinates = z
  .array(Ring)
  .min(1, { message: 'must have at least one ring' })
  .max(limits.areaRings, { message: `must have at most ${limits.areaRings} rings` })

const deepest = 16

/** Whether a value is JSON, nested no deeper than `deepest`. Walks without recursion. */
function isShallowJson(root: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    if (value === null || typeof value === 'string' || typeof value === 'boolean') continue
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return false
      continue
    }
    if (typeof value !== 'object' || depth >= deepest) return false
    for (const member of Object.values(value)) open.push({ value: member, depth: depth + 1 })
  }
  return true
}

/** A bounding box: an area of the map with a note. */
export const BoundingBox = z
  .object(
    inOrder(areaFields, {
      ...optionalOutputs(areaFields),
      id: z.int().positive(),
      name: z.string(),
      color: z.string(),
      coordinates: Coordinates,
      properties: z.record(z.string(), z.unknown()),
      active: z.boolean(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    }),
  )
  .meta({ id: 'BoundingBox' })
export type BoundingBox = z.infer<typeof BoundingBox>

export const BoundingBoxInput = z
  .object(
    inOrder(areaFields, {
      ...clearableInputs(areaFields),
      name: text({ min: 1, max: limits.areaName, trim: true, isName: true }),
      color: z
        .string()
        .regex(/^#[0-9a-f]{6}$/iu, { message: 'must be a colour such as #ff8c00' })
        .default('#ff8c00'),
      coordinates: Coordinates,
      properties: z
        .record(z.string(), z.unknown())
        .refine(isShallowJson, { message: `must be JSON nested at most ${deepest} deep` })
        .default({}),
      active: z.boolean().default(true),
    }),
  )
  .meta({ id: 'BoundingBoxInput' })
export interface BoundingBoxInput extends GivenValuesOf<typeof areaFields> {
  /** 1 to 200 characters. */
  readonly name: string
  /** Rings of a polygon as in GeoJSON: closed, positions as longitude and latitude in degrees of WGS 84. */
  readonly coordinates: readonly (readonly (readonly number[])[])[]
  /** Such as `#ff8c00`, which is the default. */
  readonly color?: string | undefined
  /** Any JSON. Default none. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  /** Whether it is in lists. Default true. */
  readonly active?: boolean | undefined
}
