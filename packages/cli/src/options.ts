import { parseArgs } from 'node:util'
import { usage } from './failure.ts'

interface Described {
  readonly about: string
  readonly short?: string
  readonly env?: string
}

/** Converts a text that was given under a name, such as `--since`. */
export type Reader = (name: string, text: string) => unknown

/** `--name VALUE` */
interface TextOption extends Described {
  readonly type: 'text'
  /** The placeholder of the value in --help, such as `FILE`. */
  readonly value: string
  readonly default?: string | number
  readonly required?: true
  readonly choices?: readonly string[]
  /** Converts the value. @throws CommandError usage */
  readonly reads?: Reader
}

/** `--name A --name B`, or `--name A,B` unless verbatim. */
interface ListOption extends Described {
  readonly type: 'list'
  readonly value: string
  /** Whether commas are part of a value. */
  readonly verbatim?: true
}

/** `--name` */
interface FlagOption extends Described {
  readonly type: 'flag'
}

export type Option = TextOption | ListOption | FlagOption
export type Options = Readonly<Record<string, Option>>

type Present = { readonly required: true } | { readonly default: string | number }
type Read<O> = O extends { readonly reads: (name: string, text: string) => infer Value } ? Value : string
type Chosen<O> = O extends { readonly choices: readonly (infer Choice)[] } ? Choice : Read<O>

type ValueOf<O extends Option> = O extends FlagOption
  ? boolean
  : O extends ListOption
    ? readonly string[]
    : Chosen<O> | (O extends Present ? never : undefined)

/** The values of declared options; absent ones are undefined, false or an empty list. */
export type Given<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> }

type More<O> = Omit<O, 'type' | 'value' | 'about'>
type None = Readonly<Record<never, never>>

/** Makes the function that declares options of a type; its last argument has the other members. */
const declaring =
  <Kind extends Exclude<Option, FlagOption>>(type: Kind['type']) =>
  <const M extends More<Kind> = More<Kind>>(value: string, about: string, more?: M) => ({
    type: type as Kind['type'],
    value,
    about,
    ...(more as M),
  })

export const text = declaring<TextOption>('text')
export const list = declaring<ListOption>('list')
export const flag = <const M extends More<FlagOption> = None>(about: string, more?: M) => ({
  type: 'flag' as const,
  about,
  ...(more as M),
})

/** Declares `--name 5`, a whole number within limits. */
export const whole = <const M extends Limits & Omit<More<TextOption>, 'reads' | 'choices'>>(
  value: string,
  about: string,
  { min, max, ...more }: M,
) => ({
  type: 'text' as const,
  value,
  about,
  ...more,
  reads: (name: string, given: string) => wholeOf(name, given, { min, max }),
})

interface Limits {
  readonly min: number
  readonly max: number
}

export interface Positional {
  readonly name: string
  readonly about: string
  readonly optional?: true
  /** Takes all that follow, none or more; it is the last one. */
  readonly rest?: true
  readonly reads?: Reader
}

/** Positional arguments in order, by their names in lower case; a text is the meaning. */
export type Places = Readonly<Record<string, string | Omit<Positional, 'name'>>>

export type GivenPlaces<P extends Places> = {
  readonly [Name in keyof P]: P[Name] extends { readonly rest: true }
    ? readonly string[]
    : Read<P[Name]> | (P[Name] extends { readonly optional: true } ? undefined : never)
}

export const positionalsOf = (places: Places): Positional[] =>
  Object.entries(places).map(([key, place]) => ({
    name: key.toUpperCase(),
    ...(typeof place === 'string' ? { about: place } : place),
  }))

export function numberOf(given: string): number {
  if (!/^[1-9]\d{0,14}$/u.test(given)) throw usage(`ID must be a whole number, not ${JSON.stringify(given)}`)
  return Number(given)
}

export const numbered = { reads: (_name: string, given: string) => numberOf(given) } as const

export const oneOf = <const Choice extends string>(choices: readonly Choice[]) => ({
  reads(name: string, given: string): Choice {
    const choice = choices.find((each) => each === given)
    if (choice !== undefined) return choice
    throw usage(`${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(given)}`)
  },
})

export interface Arguments {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

type Raw = string | boolean | readonly string[] | undefined

function wholeOf(name: string, text: string, { min, max }: Limits): number {
  const value = /^[+-]?\d+$/u.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usage(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
}

function isYes(name: string, text: string): boolean {
  if (['1', 'true', 'yes'].includes(text.toLowerCase())) return true
  if (['0', 'false', 'no', ''].includes(text.toLowerCase())) return false
  throw usage(`${name} must be yes or no, not ${JSON.stringify(text)}`)
}

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function valueOf(name: string, option: Option, raw: Raw): unknown {
  if (option.type === 'flag') return typeof raw === 'string' ? isYes(name, raw) : raw === true
  if (option.type === 'list' && option.verbatim) return Array.isArray(raw) ? raw : []
  if (option.type === 'list') {
    const all = (Array.isArray(raw) ? raw : [raw ?? '']).flatMap((one) => parts(String(one)))
    if (Array.isArray(raw) && all.length === 0) throw usage(`${name} is empty: give ${name} ${option.value}`)
    return all
  }
  if (typeof raw !== 'string') {
    if (option.required) throw usage(`${name} is missing: give ${name} ${option.value}`)
    return option.default
  }
  const { reads } = option.choices === undefined ? option : oneOf(option.choices)
  return reads === undefined ? raw : reads(name, raw)
}

/** Joins `--publish "--out site"` as `--publish=--out site`: with white space, the second is no option but a value. */
function joined(args: readonly string[], options: Options): string[] {
  const all: string[] = []
  for (const arg of args) {
    const last = options[all.at(-1)?.replace(/^--/u, '') ?? '']
    const isValue = last?.type === 'text' && last.value === 'OPTIONS' && /^-[^]*\s/u.test(arg)
    if (isValue) all.push(`${all.pop()}=${arg}`)
    else all.push(arg)
  }
  return all
}

/** Node's message for a value that begins with a dash. */
const ambiguous = /^Option '(?:-\w, )?(--[^ ']+)[^']*' argument is ambiguous/u

function split(args: readonly string[], options: Options) {
  try {
    return parseArgs({
      args: joined(args, options),
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, short }]) => [
          name,
          {
            type: type === 'flag' ? ('boolean' as const) : ('string' as const),
            multiple: type === 'list',
            ...(short !== undefined && { short }),
          },
        ]),
      ),
    })
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error
    const code = String(error.code)
    // Node's message goes on about arguments that begin with a dash, which is rarely the cause.
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /^Unknown option '[^']*'/u.exec(error.message)
    if (unknown) throw usage(`${unknown[0]}: --help lists the options of this command`)
    const [, name] = ambiguous.exec(error.message) ?? []
    if (name !== undefined)
      throw usage(`${name} needs a value; one that begins with a dash is given as ${name}="-…"`)
    if (code.startsWith('ERR_PARSE_ARGS')) throw usage(error.message.replaceAll(/\s+/gu, ' '))
    throw error
  }
}

/** A missing option takes its environment variable, unless blank, then its default. @throws CommandError usage */
export function readArguments(
  args: readonly string[],
  options: Options,
  positionals: readonly Positional[],
  env: NodeJS.ProcessEnv,
): Arguments {
  const given = split(args, options)
  const values = Object.entries(options).map(([name, option]) => {
    const own = given.values[name] as Raw
    if (own !== undefined) return [name, valueOf(`--${name}`, option, own)] as const
    const fromEnv = option.env === undefined ? undefined : env[option.env]
    const isSet = fromEnv !== undefined && fromEnv.trim() !== ''
    return [
      name,
      valueOf(isSet ? (option.env ?? '') : `--${name}`, option, isSet ? fromEnv : undefined),
    ] as const
  })
  const missing = positionals.filter(({ optional, rest }) => optional !== true && rest !== true)[
    given.positionals.length
  ]
  if (missing) throw usage(`${missing.name} is missing: ${missing.about}`)
  const surplus = positionals.at(-1)?.rest ? undefined : given.positionals[positionals.length]
  if (surplus !== undefined) throw usage(`unexpected argument ${JSON.stringify(surplus)}`)
  return { values: Object.fromEntries(values), positionals: given.positionals }
}

const written = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u

/** A time in UTC with milliseconds; a bare date is its midnight. @throws CommandError usage */
export function instantOf(name: string, text: string): string {
  const day = written.exec(text)?.[1]
  const time = day === undefined ? Number.NaN : Date.parse(text)
  // Date reads the 31st of February as the 3rd of March.
  const isDay = day !== undefined && Number.isFinite(time) && new Date(day).toISOString().startsWith(day)
  if (!isDay)
    throw usage(
      `${name} must be a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, not ${JSON.stringify(text)}`,
    )
  return new Date(time).toISOString()
}
