import { invalid } from './errors.ts'
import { defaultRules, type Rules } from './rules.ts'

/** The message for an unknown member. */
export const isUnknown = (known: readonly string[]): string =>
  `is unknown: there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`

/** @throws RegistryError INVALID_INPUT that names the first unknown member */
export function mustBeKnown<Given extends object>(
  given: Given,
  known: readonly (keyof Given & string)[],
  path = '',
): void {
  if (!isObject(given)) throw invalid(path === '' ? 'options' : path, 'must be an object')
  const names: readonly string[] = known
  const name = Object.keys(given).find((each) => !names.includes(each))
  if (name !== undefined) throw invalid(path === '' ? name : `${path}.${name}`, isUnknown(names))
}

/** The given options. @throws RegistryError INVALID_INPUT for an unknown one */
export function knownOptions<Options extends object>(
  given: Options,
  known: readonly (keyof Options & string)[],
): Options {
  mustBeKnown(given, known)
  return given
}

/** Whether something is an object with members. */
export const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** @throws RegistryError INVALID_INPUT for a missing rule, an invalid number, or an unknown member */
export function mustBeRules(rules: unknown): asserts rules is Rules {
  const all = members('rules', rules, Object.keys(defaultRules))
  // Rules that a program was compiled with may be older than an event: it earns nothing then.
  const xp = members('rules.xp', all['xp'], Object.keys(defaultRules.xp))
  for (const [name, amount] of Object.entries(xp)) mustBeWhole(`rules.xp.${name}`, amount)
  const gates = members('rules.gates', all['gates'], Object.keys(defaultRules.gates))
  for (const name of Object.keys(defaultRules.gates)) mustBeWhole(`rules.gates.${name}`, gates[name])
  const { starts, thenEvery } = members('rules.levels', all['levels'], ['starts', 'thenEvery'])
  if (!Array.isArray(starts) || starts[0] !== 0 || !ascends(starts))
    throw invalid('rules.levels.starts', 'must be whole numbers that begin with 0 and ascend')
  if (!Number.isSafeInteger(thenEvery) || Number(thenEvery) < 1)
    throw invalid('rules.levels.thenEvery', 'must be a whole number of at least 1')
  const { onePerWaypoint } = members('rules.reviews', all['reviews'], ['onePerWaypoint'])
  if (typeof onePerWaypoint !== 'boolean')
    throw invalid('rules.reviews.onePerWaypoint', 'must be true or false')
  const { newcomers, earnOnApproval } = all
  if (earnOnApproval !== undefined && typeof earnOnApproval !== 'boolean')
    throw invalid('rules.earnOnApproval', 'must be true or false')
  if (newcomers === undefined || newcomers === false) return
  const limits = members('rules.newcomers', newcomers, Object.keys(defaultRules.newcomers))
  for (const [name, limit] of Object.entries(limits))
    if (limit !== undefined) mustBeWhole(`rules.newcomers.${name}`, limit)
}

function members(path: string, given: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (given === undefined) throw invalid(path, 'is required: begin with { ...defaultRules }')
  if (!isObject(given)) throw invalid(path, 'must be an object')
  mustBeKnown(given, known, path)
  return given
}

function mustBeWhole(path: string, given: unknown): void {
  if (!Number.isSafeInteger(given) || Number(given) < 0)
    throw invalid(path, given === undefined ? 'is required' : 'must be a whole number of at least 0')
}

const ascends = (numbers: readonly unknown[]): boolean =>
  numbers.every(
    (each, index) => Number.isSafeInteger(each) && (index === 0 || Number(each) > Number(numbers[index - 1])),
  )
