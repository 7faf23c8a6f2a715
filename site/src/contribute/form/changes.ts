import type { Waypoint } from '@openfountain/core'
import { flat, isSame, nested } from '../members.ts'

/** Values of a form by field name, custom fields included; undefined where a field is empty. */
export type Values = Readonly<Record<string, unknown>>

/** The fields that differ from the base, for PATCH: `null` clears one. */
export function changesOf(base: Partial<Waypoint>, values: Values): Record<string, unknown> {
  const before = flat(base)
  return nested(
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        isSame(before[name] === '' ? undefined : before[name], value) ? [] : [[name, value ?? null]],
      ),
    ),
  )
}

/** The fields that are not empty, for POST. */
export function filledIn(values: Values): Record<string, unknown> {
  return nested(
    Object.fromEntries(
      Object.entries(values).filter(
        ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
      ),
    ),
  )
}
