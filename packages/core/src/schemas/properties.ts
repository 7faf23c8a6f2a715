import { z } from 'zod'
import type { GivenProperties as GivenObject, Properties as PropertiesObject } from '../fields/field.ts'
import { limits } from '../rules.ts'
import { text } from './text.ts'

/** Custom fields of any declaration: their form in the log, exports and mirrors. */

const most = limits.properties
const nameForm = /^[A-Za-z][A-Za-z0-9_]*$/
const own = text({ max: most.text })

const Value = z.union(
  [
    own,
    // JSON does not distinguish minus zero from zero.
    z.number().overwrite((given) => given + 0),
    z.boolean(),
    z.array(own).max(most.entries, { message: `must have at most ${most.entries} entries` }),
  ],
  { error: 'must be a text, a number, true or false, or a list of texts' },
)

/** The problem with the name of a custom field, or undefined. */
export function nameProblem(name: string): string | undefined {
  // Every object of JavaScript has members such as `constructor`.
  if (nameForm.test(name) && name.length <= most.name && !(name in Object.prototype)) return undefined
  return `must be a letter and then letters, digits or underscores (A-Z, a-z, 0-9, _), at most ${most.name}`
}

/** The problem with custom fields as a whole, or undefined. */
function problemOf(given: object): string | undefined {
  const names = Object.keys(given)
  if (names.length > most.members) return `must have at most ${most.members} members`
  if (names.some((name) => nameProblem(name) !== undefined))
    return `must have names that are a letter and then letters, digits or underscores, at most ${most.name}`
  if (JSON.stringify(given).length > most.json) return `must have at most ${most.json} characters as JSON`
  return undefined
}

/** Custom fields in code unit order of their names, as in the log. */
export const membersInOrder = <Members extends object>(members: Members): Members =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))) as Members

/** A flat object with its members in order. */
function membersOf<Member extends z.ZodType>(value: Member) {
  return z
    .record(z.string(), value)
    .check((payload) => {
      const message = problemOf(payload.value)
      if (message === undefined) payload.value = membersInOrder(payload.value)
      else payload.issues.push({ code: 'custom', input: payload.value, message })
    })
    .meta({ maxProperties: most.members })
}

// Named types, so that schemas refer to them by name, and not to the module of the fields.

/** The schema of custom fields as they are stored and published. */
export interface PropertiesType extends z.ZodType<PropertiesObject, PropertiesObject> {}

/** The schema of custom fields as they are given. */
export interface GivenPropertiesType extends z.ZodType<GivenObject, GivenObject> {}

/** Custom fields as they are stored and published. */
export const Properties: PropertiesType = membersOf(Value)

/** Custom fields as they are given: `null` removes one. */
export const GivenProperties: GivenPropertiesType = membersOf(Value.nullable())
