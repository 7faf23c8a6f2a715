import { z } from 'zod'
import { invalid } from '../errors.ts'
import type { GivenProperties, Properties } from '../fields/field.ts'
import { isSameValue } from '../log/leaf.ts'
import type { DeclaredProperties } from '../properties-declared.ts'
import { Properties as AnyProperties } from '../schemas/described.ts'
import { parse } from '../schemas/parse.ts'

/** The effect of a write on a waypoint's custom fields, as a merge patch (RFC 7396). */

const notDeclared =
  'is not declared: open the registry with the option properties, which declares custom fields (openfountain: --properties FILE)'

/** @throws RegistryError INVALID_INPUT for a name that is not declared */
function mustBeDeclared(given: Properties, declared: DeclaredProperties | undefined): void {
  const name = Object.keys(given).find((each) => declared?.has(each) !== true)
  if (name === undefined) return
  const known = declared === undefined ? [] : declared.names
  throw invalid(
    `properties.${name}`,
    known.length === 0
      ? notDeclared
      : `is not declared: there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`,
  )
}

/**
 * The custom fields after a merge patch. Unchanged values are valid whatever the declaration says now.
 *
 * @returns `null` when none is left, undefined when none was given
 * @throws RegistryError INVALID_INPUT for undeclared members and values of another type
 */
export function propertiesAfter(
  given: GivenProperties | null | undefined,
  before: Properties = {},
  declared?: DeclaredProperties,
): Properties | null | undefined {
  if (given === undefined || given === null) return given
  const named = Object.entries(given)
  const removed = new Set(named.flatMap(([name, value]) => (value === null || value === '' ? [name] : [])))
  const set = Object.fromEntries(
    named.filter(([name, value]) => !removed.has(name) && !isSameValue(value, before[name])),
  ) as Properties
  mustBeDeclared(set, declared)
  const kept = Object.entries(before).filter(([name]) => !removed.has(name))
  const news = declared?.checked(set) ?? {}
  // In code unit order, and within the limits together.
  const { properties } = parse(z.object({ properties: AnyProperties }), {
    properties: { ...Object.fromEntries(kept), ...news },
  })
  return Object.keys(properties).length === 0 ? null : properties
}
